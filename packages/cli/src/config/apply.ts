import type { ChangeOf, ChangeOutcome, ChatAction, OrgChatClient } from '@orgchat/sdk';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Failure } from '../failure.ts';
import { toFailure } from '../failures.ts';
import { patientMs } from '../lists.ts';
import { showProgress } from '../progress.ts';
import type { Plan } from './plan.ts';
import { mapReferences } from './references.ts';
import { pendingKey } from './resolve.ts';
import { needsOf, type Step } from './step.ts';

/** How many steps are under way at a time; the SDK's pacing keeps them within the limit. */
const width = 6;

/** What a step left behind, for those that refer to it. */
interface Made {
  readonly id: string;
  readonly revision: string;
  readonly replayed: boolean;
}

export interface Applied {
  readonly done: readonly { readonly step: Step; readonly made: Made }[];
  readonly failed: readonly { readonly step: Step; readonly failure: Failure }[];
  /** Steps that were not begun. */
  readonly left: readonly Step[];
}

function changeOf(step: Step, made: ReadonlyMap<string, Made>): Record<string, unknown> {
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
  if (action === 'delete') return { action: 'delete-configuration', resource, ...guard };
  const data = mapReferences(resource, step.data ?? {}, (_target, value) => get(value, 'id'));
  return action === 'create'
    ? { action: `create-${resource}`, data }
    : { action: `update-${resource}`, ...guard, data };
}

function madeBy(outcome: ChangeOutcome): Made {
  const { id, revision } = (outcome.result ?? {}) as { id?: unknown; revision?: unknown };
  return { id: String(id ?? ''), revision: String(revision ?? ''), replayed: outcome.replayed };
}

/**
 * Applies a plan: each step under the operation id it has in the plan, so that doing it all again does nothing
 * twice. After a failure, or Ctrl-C, what is under way is finished and nothing more is begun.
 */
export async function applyPlan(context: Context, client: OrgChatClient, plan: Plan): Promise<Applied> {
  const made = new Map<string, Made>();
  const done: { step: Step; made: Made }[] = [];
  const failed: { step: Step; failure: Failure }[] = [];
  const waiting = new Set(plan.steps);
  const underWay = new Set<Promise<void>>();
  const progress = await showProgress(context.output, 'configuration', plan.steps.length);
  const run = async (step: Step): Promise<void> => {
    const change = changeOf(step, made) as ChangeOf<ChatAction>;
    const call = { operationId: step.operationId, timeoutMs: context.options.timeout ?? patientMs };
    try {
      const outcome = await client.changeChat(change, call);
      const result = madeBy(outcome);
      made.set(step.key, result);
      done.push({ step, made: result });
    } catch (error) {
      failed.push({ step, failure: await toFailure(error) });
    }
    progress.update(done.length, `${step.action} ${step.resource} ${step.label}`);
  };
  const deletions = plan.steps.filter(({ action }) => action === 'delete');
  const isReady = (step: Step): boolean => {
    if (!needsOf(step).every((key) => made.has(key))) return false;
    // A deletion waits for everything that may still refer to the record, and for the deletions before it.
    if (step.action !== 'delete') return true;
    const before = deletions
      .slice(0, deletions.indexOf(step))
      .filter(({ resource }) => resource !== step.resource);
    return done.length >= plan.steps.length - deletions.length && before.every((one) => made.has(one.key));
  };
  await context.interrupt.finish('the steps under way', async () => {
    for (;;) {
      const stop = failed.length > 0 || context.interrupt.stopping;
      const next = stop || underWay.size >= width ? undefined : [...waiting].find(isReady);
      if (next !== undefined) {
        waiting.delete(next);
        const work: Promise<void> = run(next).finally(() => underWay.delete(work));
        underWay.add(work);
      } else if (underWay.size > 0) await Promise.race(underWay);
      else break;
    }
  });
  progress.stop();
  return { done, failed, left: [...waiting] };
}

/** The exit code of an apply; undefined where all is done. */
export function exitOf({ done, failed, left }: Applied): number {
  const exits = failed.map(({ failure }) => failure.exit);
  const [first] = exits;
  if (first === undefined) return left.length === 0 ? exitCodes.done : exitCodes.unknown;
  if (exits.includes(exitCodes.unknown)) return exitCodes.unknown;
  if (exits.includes(exitCodes.conflict)) return exitCodes.conflict;
  return done.length > 0 ? exitCodes.unknown : first;
}
