import type { JournalSetting } from '../settings/journal-setting.ts';
import { CliError } from './cli-error.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { getReason } from './get-reason.ts';

/** What a call of the journal was for. */
export type JournalCall = 'read' | 'write' | 'outcome' | 'migrate';

const failures: Readonly<Record<JournalCall, string>> = {
  read: 'cannot be read',
  write: 'could not record the write, so nothing was sent',
  outcome: 'could not record the outcome',
  migrate: 'could not be prepared',
};

type Rule = readonly [exit: ExitCode, hint: (setting: JournalSetting) => string];

const sameJournal = 'Do not switch to another journal: this change may have been sent before.';

/** By the code of the error; see the README of `@orgchat/fleet`. */
const rules: Readonly<Record<string, Rule>> = {
  STORE_UNAVAILABLE: [
    exitCodes.failed,
    ({ from }) => `Check the URL in ${from} and that the engine runs, then try again. ${sameJournal}`,
  ],
  STORE_CREDENTIALS: [
    exitCodes.denied,
    ({ from, engine }) => {
      if (from === 'ORGCHAT_JOURNAL')
        return 'Check user and password in ORGCHAT_JOURNAL, and the rights of this user.';
      const files = engine === 'postgres' ? ', or use PGPASSWORD or ~/.pgpass' : '';
      return `Check user and rights. Set ORGCHAT_JOURNAL to the URL with its password${files}.`;
    },
  ],
  STORE_READ_ONLY: [exitCodes.failed, ({ from }) => `Set ${from} to the URL of the primary.`],
  STORE_NOT_MIGRATED: [exitCodes.usage, () => 'Create the tables, once per database: orgchat ops migrate'],
  STORE_VERSION: [
    exitCodes.usage,
    () => 'Update the engine, or install a matching version of @orgchat/fleet.',
  ],
  STORE_EVICTION: [
    exitCodes.usage,
    () => 'Set maxmemory-policy noeviction in the engine, or use another one for the journal.',
  ],
  STORE_FULL: [exitCodes.failed, () => `Free disk space or memory of the engine. ${sameJournal}`],
  INVALID_OPTIONS: [exitCodes.usage, ({ from }) => `Correct the parameters of the URL in ${from}.`],
};

const anyOther: Rule = [exitCodes.failed, () => `See the log of the engine. ${sameJournal}`];

const unusableEntry: Rule = [
  exitCodes.failed,
  () => 'Check the outcome of that operation in the app, then remove its entry from the engine.',
];

/**
 * Converts what a shared journal threw. The packages of the journal are loaded at run time, so their error classes are
 * not known here: the name says it.
 */
export function fromStoreError(
  error: unknown,
  setting: JournalSetting,
  call: JournalCall,
  operationId?: string,
): CliError {
  if (error instanceof CliError) return error;
  const { name, code, reason } = Object(error) as { name?: string; code?: string; reason?: string };
  const isUnusable = reason === 'journal-entry-unusable';
  const storeCode = name === 'FleetError' && code !== undefined ? code : 'JOURNAL_FAILED';
  const [exit, hint] = isUnusable ? unusableEntry : (rules[storeCode] ?? anyOther);
  const why =
    storeCode === 'STORE_NOT_MIGRATED'
      ? 'its tables are missing or have an older version.'
      : getReason(error);
  return new CliError(`The journal ${setting.name} ${failures[call]}: ${why}`, {
    code: storeCode,
    exit,
    hint: hint(setting),
    operationId,
    cause: error,
  });
}
