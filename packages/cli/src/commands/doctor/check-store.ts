import { toShellWord } from '../../args/shell-word.ts';
import type { Connection } from '../../connection/client.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import type { SharedJournal } from '../../shared-journal/shared-journal.ts';
import { type Check, failedCheck, ok, warning } from './check.ts';

/** After this an open operation or change is left for a person. */
const stuckAfterMs = 86_400_000;

/** Topics whose problem makes calls of a worker fail. Others make it lose entries or time. */
const blocking: readonly string[] = ['grants', 'writable', 'eviction'];

/** Checks the engine of a shared journal, and what has been open for long in it. */
export async function checkStore(context: Context, connection: Connection): Promise<Check[]> {
  const { sharedJournal } = connection;
  if (sharedJournal === undefined) return [];
  try {
    const diagnoses = (await sharedJournal.diagnose()).map(({ topic, detail, advice }): Check => {
      if (advice === undefined) return ok(topic, detail);
      if (!blocking.includes(topic)) return warning(topic, detail, advice);
      const exit = topic === 'grants' ? exitCodes.denied : exitCodes.failed;
      return { check: topic, result: 'failed', detail, hint: advice, exit };
    });
    // It would fail for the same reason.
    const isBlocked = diagnoses.some(({ result }) => result === 'failed');
    return [...diagnoses, ...(isBlocked ? [] : await checkStuck(context, connection))];
  } catch (error) {
    return [await failedCheck(context, 'store', error)];
  }
}

async function checkStuck(context: Context, { client, sharedJournal }: Connection): Promise<Check[]> {
  const { open, oldestOpenMs } = await client.operations.stats();
  const isStuck = (oldestOpenMs ?? 0) > stuckAfterMs;
  const detail = `${open} open, ${describeAge(oldestOpenMs)}`;
  const operations = isStuck
    ? warning(
        'stuck operations',
        detail,
        'Find out what they did: orgchat ops list --unsettled, orgchat ops show ID --check',
      )
    : ok('stuck operations', detail);
  if (sharedJournal?.setting.engine !== 'postgres') return [operations];
  const { organizationId } = await context.account();
  const names = new Set(['default', ...(await sharedJournal.outboxNames(organizationId))]);
  const checks = [operations];
  for (const name of names) checks.push(await checkOutbox(sharedJournal, organizationId, name));
  return checks;
}

async function checkOutbox(journal: SharedJournal, organization: string, name: string): Promise<Check> {
  const box = await journal.useOutbox({ organization, name }, 'read', (outbox) => outbox.stats());
  const counts = `${box.open} open, ${describeAge(box.oldestOpenMs)}; ${box.refused} refused, ${box.unknown} unknown`;
  const isLeft = box.refused + box.unknown > 0 || (box.oldestOpenMs ?? 0) > stuckAfterMs;
  const isDefault = name === 'default';
  const check = isDefault ? 'outbox' : `outbox ${name}`;
  const list = isDefault ? 'orgchat outbox list' : `orgchat outbox list --outbox ${toShellWord(name)}`;
  return isLeft ? warning(check, counts, `Look at them: ${list}`) : ok(check, counts);
}

function describeAge(ms: number | undefined): string {
  if (ms === undefined) return 'none waits';
  const minutes = Math.round(ms / 60_000);
  return `the oldest for ${minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`}`;
}
