import { CliError } from '../errors/cli-error.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { getReason } from '../errors/get-reason.ts';
import type { JournalSetting } from '../settings/journal-setting.ts';
import { describeSource } from '../settings/setting-source.ts';

/** What a call of the journal was for. */
export type JournalCall = 'read' | 'write' | 'outcome' | 'migrate' | 'change';

const failures: Readonly<Record<JournalCall, string>> = {
  read: 'cannot be read',
  write: 'could not record the write, so nothing was sent',
  outcome: 'could not record the outcome',
  migrate: 'could not be prepared',
  change: 'could not be changed',
};

/** A call of the journal that failed. */
export interface FailedJournalCall {
  readonly call: JournalCall;
  readonly operationId: string | undefined;
  /** Whether the call was about a change that an earlier run may have sent: it has a given id. */
  readonly mayBeSent: boolean;
}

interface Rule {
  readonly exit: ExitCode;
  readonly hint: (setting: JournalSetting) => string;
  /** Whether to warn against another journal, which looks like a solution here. */
  readonly warnsAgainstOtherJournal?: true;
}

const engineNames: Readonly<Record<JournalSetting['engine'], string>> = {
  postgres: 'Postgres',
  redis: 'Redis',
};

const sameJournal = 'Do not switch to another journal: an earlier run may have sent this change.';

/** By the code of the error; see `docs/errors-and-options.md` of `@orgchat/fleet`. */
const rules: Readonly<Record<string, Rule>> = {
  STORE_UNAVAILABLE: {
    exit: exitCodes.failed,
    hint: ({ source, engine }) =>
      `Check the URL in ${describeSource(source)}. If it is right, check that ${engineNames[engine]} is running, then try again.`,
    warnsAgainstOtherJournal: true,
  },
  STORE_CREDENTIALS: {
    exit: exitCodes.denied,
    hint: ({ source, engine }) => {
      if (source.kind === 'variable')
        return `Check the user and password in ${source.name}, and the permissions of this user.`;
      const files = engine === 'postgres' ? ', or use PGPASSWORD or ~/.pgpass' : '';
      return `Check the user and its permissions. Set ORGCHAT_JOURNAL to the URL with its password${files}.`;
    },
  },
  STORE_READ_ONLY: {
    exit: exitCodes.failed,
    hint: ({ source }) => `Set ${describeSource(source)} to the URL of the primary.`,
  },
  STORE_NOT_MIGRATED: {
    exit: exitCodes.usage,
    hint: () => 'Create the tables, once per database: orgchat ops migrate',
  },
  STORE_VERSION: {
    exit: exitCodes.usage,
    hint: ({ engine }) => `Update ${engineNames[engine]}, or install a matching version of @orgchat/fleet.`,
  },
  STORE_EVICTION: {
    exit: exitCodes.usage,
    hint: () => 'Set maxmemory-policy to noeviction in Redis, or use another engine for the journal.',
  },
  STORE_FULL: {
    exit: exitCodes.failed,
    hint: ({ engine }) =>
      `Free disk space or memory on the machine of ${engineNames[engine]}${engine === 'redis' ? ', or raise its maxmemory' : ''}.`,
    warnsAgainstOtherJournal: true,
  },
  INVALID_OPTIONS: {
    exit: exitCodes.usage,
    hint: ({ source }) => `Correct the parameters of the URL in ${describeSource(source)}.`,
  },
};

const anyOther: Rule = {
  exit: exitCodes.failed,
  hint: ({ engine }) => `See the log of ${engineNames[engine]}.`,
  warnsAgainstOtherJournal: true,
};

/** What a journal throws about an entry that it has and cannot read. */
interface UnusableEntry {
  readonly reason: 'journal-entry-unusable';
  /** Why it cannot be read; older packages do not say. */
  readonly problem?: 'truncated' | 'foreign' | 'format';
}

const isUnusableEntry = (error: unknown): error is UnusableEntry =>
  (Object(error) as { reason?: unknown }).reason === 'journal-entry-unusable';

/** Whether an error of this command is about an entry that the journal has and cannot read. */
export const isUnusableEntryError = (error: unknown): boolean =>
  error instanceof CliError && isUnusableEntry(error.cause);

/** What to do about an entry that cannot be read. */
function getUnusableHint({ problem }: UnusableEntry, { operationId }: FailedJournalCall): string {
  if (problem === 'format') return 'Install a matching version of @orgchat/fleet.';
  return `Check the outcome of that operation in the app, then run: orgchat ops forget ${operationId}`;
}

/** The reason in the words of this command. Those of the package are for people who use it from a program. */
function describeReason(error: unknown, storeCode: string, { operationId }: FailedJournalCall): string {
  if (storeCode === 'STORE_NOT_MIGRATED') return 'its tables are missing or have an older version.';
  if (isUnusableEntry(error) && error.problem !== undefined && error.problem !== 'format')
    return `the entry of operation ${operationId} is damaged.`;
  return getReason(error);
}

/**
 * Converts what a shared journal threw. The packages of the journal are loaded at run time, so their error classes are
 * not known here: the name says it.
 */
export function fromStoreError(error: unknown, setting: JournalSetting, failed: FailedJournalCall): CliError {
  if (error instanceof CliError) return error;
  const { call, operationId, mayBeSent } = failed;
  const { name, code } = Object(error) as { name?: string; code?: string };
  const storeCode = name === 'FleetError' && code !== undefined ? code : 'JOURNAL_FAILED';
  const rule = rules[storeCode] ?? anyOther;
  const hint = isUnusableEntry(error) ? getUnusableHint(error, failed) : rule.hint(setting);
  const warns = rule.warnsAgainstOtherJournal && mayBeSent && !isUnusableEntry(error);
  return new CliError(
    `The journal ${setting.name} ${failures[call]}: ${describeReason(error, storeCode, failed)}`,
    {
      code: storeCode,
      exit: rule.exit,
      hint: warns ? `${hint} ${sameJournal}` : hint,
      operationId,
      cause: error,
    },
  );
}
