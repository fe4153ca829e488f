import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { patientMs } from '../lists.ts';
import { writeJson } from '../settings/files.ts';
import { type Holder, Lock } from '../settings/lock.ts';
import type { Destination, ImportRecord } from './record.ts';

/** No request outlives its deadline by more. */
const graceMs = 5_000;

type Place = Pick<Destination, 'site' | 'group'>;

interface RecordUse {
  /** Where the record is. */
  readonly path: string;
  readonly place: Place;
  /** How long a request may take; default: as long as one that waits for a limit. */
  readonly timeoutMs?: number | undefined;
  /** What to do once another process that uses the record has ended. */
  readonly afterwards: string;
}

/**
 * Runs `work` as the only one that uses a record, which is to be read in it; ends the command where another process
 * does. `write` puts the record in its place, and is to be called before each request: where nothing else tells
 * whether this process is alive, it counts as dead when a request should long have ended.
 */
export async function asSole<T>(
  { path, place, timeoutMs = patientMs, afterwards }: RecordUse,
  work: (write: (record: ImportRecord) => Promise<void>) => Promise<T>,
): Promise<T> {
  const ms = timeoutMs + graceMs;
  const lockPath = `${path}.lock`;
  const lock = Lock.take(lockPath, ms);
  if (!(lock instanceof Lock)) throw underWay(place, lock, lockPath, afterwards);
  try {
    return await work(async (record) => {
      if (!lock.renew(ms)) throw takenOver(place);
      await writeJson(path, record);
    });
  } finally {
    lock.release();
  }
}

const nameOf = ({ site, group }: Place): string => (group === undefined ? site : `${site} (group ${group})`);

function underWay(place: Place, holder: Holder, lockPath: string, afterwards: string): Failure {
  const { host, pid, until } = holder;
  const who = host === '' ? 'another process' : `process ${pid} on ${host}`;
  const patience =
    until === undefined
      ? ''
      : ` It cannot be seen from here whether that process is alive: without a sign of life it counts as dead after ${until}, or once you remove ${lockPath}.`;
  return new Failure(
    `An import of keywords to ${nameOf(place)} is under way: ${who}. This command did nothing.`,
    {
      code: 'IMPORT_UNDER_WAY',
      exit: exitCodes.conflict,
      hint: `Wait for it, then ${afterwards}.${patience}`,
      extra: { holder },
    },
  );
}

/** It stood still for so long, where the other could not see it, that it was taken for dead. */
function takenOver(place: Place): Failure {
  return new Failure(
    `The import of keywords to ${nameOf(place)} was taken over by another process, which heard nothing of this one for too long; this one sends no more.`,
    {
      code: 'IMPORT_TAKEN_OVER',
      exit: exitCodes.unknown,
      hint: 'Wait for that one; it reports on every keyword.',
    },
  );
}
