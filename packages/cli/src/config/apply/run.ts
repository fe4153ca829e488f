import type { ChangeOf, ChangeOutcome, ChatAction, OrgChatClient } from '@orgchat/sdk';
import type { Context } from '../../context.ts';
import type { Failure } from '../../failure.ts';
import { toFailure } from '../../failures.ts';
import { patientMs } from '../../lists.ts';
import { showProgress } from '../../progress.ts';
import type { Data } from '../../resources/collect-data.ts';
import { mapReferences } from '../file/references.ts';
import { needsOf, type Step } from '../plan/document.ts';
import { pendingKey } from '../plan/pending.ts';

/** How many steps are under way at a time; the SDK's pacing keeps them within the limit. */
const width = 6;

/** What a step left behind, for those that refer to it. */
interface Made {
  readonly id: string;
  readonly revision: string;
  readonly replayed: boolean;
  /** As it was sent; undefined for a deletion. */
  readonly data: Data | undefined;
}

export interface Applied {
  readonly done: readonly { readonly step: Step; readonly made: Made }[];
  readonly failed: readonly { readonly step: Step; readonly failure: Failure }[];
  /** Steps that were not begun. */
  readonly left: readonly Step[];
}

interface Guarded {
  readonly change: ChangeOf<ChatAction>;
  readonly data: Data | undefined;
}

/** A step as it is sent: with the ids of what the steps before it made. */
function changeOf(step: Step, made: ReadonlyMap<string, Made>): Guarded {
  const get = (value: string, what: 'id' | 'revision'): string => {
    const key = pendingKey(value);
    return key === undefined ? value : (made.get(key)?.[what] ?? value);
  };
  const { action, resource, expectedLabel } = step;
  const guard = {
    id: get(step.id ?? '', 'id'),
    expectedRevision: get(step.expectedRevision ?? '', 'revision'),
    expectedLabel,
  };
  if (action === 'delete') {
    const change = { action: 'delete-configuration', resource, ...guard } as ChangeOf<ChatAction>;
    return { change, data: undefined };
  }
  const data = mapReferences(resource, step.data ?? {}, (_target, value) => get(value, 'id'));
  const change =
    action === 'create'
      ? { action: `create-${resource}`, data }
      : { action: `update-${resource}`, ...guard, data };
  return { change: change as ChangeOf<ChatAction>, data };
}

function madeBy({ result, replayed }: ChangeOutcome, data: Data | undefined): Made {
  const { id, revision } = (result ?? {}) as { id?: unknown; revision?: unknown };
  return { id: String(id ?? ''), revision: String(revision ?? ''), replayed, data };
}

const doing = { create: 'creating', update: 'updating', delete: 'deleting' } as const;

/** Whether a step can begin: what it refers to is made, and nothing still refers to what it deletes. */
function readiness(steps: readonly Step[], made: ReadonlyMap<string, Made>): (step: Step) => boolean {
  const deletions = steps.filter(({ action }) => action === 'delete');
  const others = steps.filter(({ action }) => action !== 'delete');
  return (step) => {
    if (step.action !== 'delete') return needsOf(step).every((key) => made.has(key));
    const before = deletions
      .slice(0, deletions.indexOf(step))
      .filter(({ resource }) => resource !== step.resource);
    return [...others, ...before].every(({ key }) => made.has(key));
  };
}

/**
 * Applies steps: each under the operation id it has in its plan, so that doing it all again does nothing twice.
 * After Ctrl-C, and after a failure unless `goOn`, what is under way is finished and nothing more is begun.
 */
export async function run(
  context: Context,
  client: OrgChatClient,
  steps: readonly Step[],
  { goOn = false } = {},
): Promise<Applied> {
  const made = new Map<string, Made>();
  const done: { step: Step; made: Made }[] = [];
  const failed: { step: Step; failure: Failure }[] = [];
  const waiting = new Set(steps);
  const underWay = new Set<Promise<void>>();
  const isReady = readiness(steps, made);
  const progress = await showProgress(context.output, 'configuration', steps.length);
  // A bar that is still drawn would write over what is said about the signal.
  context.interrupt.signal.addEventListener('abort', progress.stop, { once: true });
  const take = async (step: Step): Promise<void> => {
    const what = `${doing[step.action]} ${step.resource} ${step.label}`;
    progress.update(done.length, what);
    const { change, data } = changeOf(step, made);
    const call = { operationId: step.operationId, timeoutMs: context.options.timeout ?? patientMs };
    try {
      const result = madeBy(await client.changeChat(change, call), data);
      made.set(step.key, result);
      done.push({ step, made: result });
    } catch (error) {
      failed.push({ step, failure: await toFailure(error) });
    }
    progress.update(done.length, what);
  };
  await context.interrupt.finish('the steps under way', async () => {
    for (;;) {
      const stop = (failed.length > 0 && !goOn) || context.interrupt.stopping;
      const next = stop || underWay.size >= width ? undefined : [...waiting].find(isReady);
      if (next !== undefined) {
        waiting.delete(next);
        const work: Promise<void> = take(next).finally(() => underWay.delete(work));
        underWay.add(work);
      } else if (underWay.size > 0) await Promise.race(underWay);
      else break;
    }
  });
  if (!context.interrupt.stopping) progress.stop();
  return { done, failed, left: [...waiting] };
}
