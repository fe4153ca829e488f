import type { OrgChatClient } from '@orgchat/sdk';
import type { Context } from '../../context.ts';
import type { Failure } from '../../failure.ts';
import { toFailure } from '../../failures.ts';
import { patientMs } from '../../lists.ts';
import { showProgress } from '../../progress.ts';
import { needsOf, type Step } from '../plan/document.ts';
import { type Made, type Sending, StepSender } from './send-step.ts';

/** How many steps are under way at a time; the SDK's pacing keeps them within the limit. */
const width = 6;

export interface Applied {
  readonly done: readonly { readonly step: Step; readonly made: Made }[];
  readonly failed: readonly { readonly step: Step; readonly failure: Failure }[];
  /** Steps that were not begun. */
  readonly left: readonly Step[];
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

export interface RunOptions {
  readonly sending: Sending;
  /** Whether this process may still begin steps. */
  readonly mayBegin: () => boolean;
  /** Whether to continue after a failure. */
  readonly goOn?: boolean;
}

/**
 * Applies steps, each under its operation id, so that doing it all again does nothing twice. After Ctrl-C, and after a
 * failure unless `goOn`, steps in progress are finished and no other is begun.
 */
export async function run(
  context: Context,
  client: OrgChatClient,
  steps: readonly Step[],
  { sending, mayBegin, goOn = false }: RunOptions,
): Promise<Applied> {
  const sender = new StepSender(client, sending, { timeoutMs: context.options.timeout ?? patientMs });
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
    try {
      const result = await sender.send(step, made);
      made.set(step.key, result);
      done.push({ step, made: result });
    } catch (error) {
      failed.push({ step, failure: await toFailure(error) });
    }
    progress.update(done.length, what);
  };
  await context.interrupt.finish('the steps under way', async () => {
    for (;;) {
      const stop = (failed.length > 0 && !goOn) || context.interrupt.stopping || !mayBegin();
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
