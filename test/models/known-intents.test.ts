import { expect, test } from 'vitest';
import { fromSdkError } from '../../packages/cli/src/error-conversion/from-sdk-error.ts';
import { decideJob } from '../../packages/fleet/src/bullmq/job-decision.ts';
import { postpone } from '../../packages/fleet/src/postgres/outbox/postponement.ts';
import { createWorld, knownIntentCases } from '../../packages/sdk/test-support/known-intents.ts';

/*
 * A machine repeats a change under an intent that another machine used, and the records do not show it. The SDK's own
 * answers are compared in packages/sdk/src/pipeline/known-intent.test.ts; here are those of the packages above it.
 */

test.each(Object.entries(knownIntentCases))(
  '%s: queue, outbox and command end it, and none says that nothing was changed',
  async (_name, { first, undo, second = first as never }) => {
    const world = await createWorld();
    const options = { intent: ['order', 17] };
    await first(world, options);
    await undo?.(world);
    const error: unknown = await second(world, world.there, options).then(
      () => expect.unreachable('it should have been rejected'),
      (thrown: unknown) => thrown,
    );
    const job = decideJob(error, { site: undefined, countRefusal: () => 1 });
    expect(job.kind).toBe('fail');
    expect(job.advice).not.toContain('Nothing was changed');
    const taken = { attempts: 1, repeats: 0, ageMs: 0 };
    expect(postpone(error, taken)).toEqual({ state: 'unknown', delayMs: 0, repeats: 0 });
    const failure = fromSdkError(error);
    expect(failure).toMatchObject({ code: 'OUTCOME_UNKNOWN', exit: 7, extra: { reason: 'intent-known' } });
    expect(failure?.hint).toContain(`orgchat ops show ${failure?.operationId} --check`);
  },
);
