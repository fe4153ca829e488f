import type { GlobalOptions } from '../args/global-options.ts';
import { type CliError, usageError } from '../errors/cli-error.ts';
import { findActiveProfile } from './api-target.ts';
import { describeSource, type SettingSource } from './setting-source.ts';

/** A journal that several machines share. */
export interface JournalSetting {
  readonly engine: 'postgres' | 'redis';
  /** For the driver. It may contain a password. */
  readonly url: string;
  /** For people: without password and parameters. */
  readonly name: string;
  /** Where the URL was found. */
  readonly source: SettingSource;
  /** The schema of its tables, or the prefix of its keys; undefined for the default. */
  readonly namespace: string | undefined;
}

export const journalOption: SettingSource = { kind: 'option', name: '--journal' };

/** The value that selects the journal in the state directory. */
const ownJournal = 'file';

const engines: ReadonlyMap<string, JournalSetting['engine']> = new Map([
  ['postgres:', 'postgres'],
  ['postgresql:', 'postgres'],
  ['redis:', 'redis'],
  ['rediss:', 'redis'],
]);

/** Parameters of a URL that a driver reads as a secret. */
const secretParameters = ['password', 'sslpassword'];

const findParameter = (url: URL, names: readonly string[]): boolean =>
  [...url.searchParams.keys()].some((name) => names.includes(name.toLowerCase()));

function invalidJournalError(source: SettingSource, problem: string): CliError {
  return usageError(
    `${describeSource(source)} ${problem}`,
    'Use postgres://USER@HOST/DATABASE or redis://HOST:6379. "file" is the journal in the state directory. Percent-encode special characters.',
    'INVALID_JOURNAL',
  );
}

/** Throws if a URL has a password where other users can see it. */
function refusePassword(url: URL, source: SettingSource): void {
  if (url.password === '' && !findParameter(url, secretParameters)) return;
  throw usageError(
    `${describeSource(source)} contains a password. Other users can see it in the process list and shell history.`,
    'Set ORGCHAT_JOURNAL to the URL with its password. With Postgres, PGPASSWORD and ~/.pgpass work, too.',
    'PASSWORD_IN_ARGUMENTS',
  );
}

/** Reads the URL of a journal. No message repeats it: it may contain a password. Undefined for `file`. */
export function parseJournal(text: string, source: SettingSource): JournalSetting | undefined {
  if (text === ownJournal) return undefined;
  if (!URL.canParse(text)) throw invalidJournalError(source, 'is not a valid URL.');
  const url = new URL(text);
  const engine = engines.get(url.protocol);
  if (engine === undefined) throw invalidJournalError(source, 'must begin with postgres:// or redis://');
  if (source.kind === 'option') refusePassword(url, source);
  const parameter = engine === 'postgres' ? 'schema' : 'prefix';
  const namespace = url.searchParams.get(parameter) ?? undefined;
  const shown = new URL(url);
  shown.password = '';
  shown.search = namespace === undefined ? '' : `?${parameter}=${namespace}`;
  shown.hash = '';
  // The driver does not know this parameter.
  if (namespace !== undefined) url.searchParams.delete(parameter);
  return { engine, url: url.href, name: shown.href, source, namespace };
}

/**
 * Finds the journal of this run: `--journal`, then `ORGCHAT_JOURNAL`, then the profile whose server is used. Undefined
 * for the journal in the state directory. A profile stores no password, so the variable takes precedence over it.
 */
export async function resolveJournal(
  options: GlobalOptions,
  env: NodeJS.ProcessEnv,
): Promise<JournalSetting | undefined> {
  if (options.journal !== undefined) return parseJournal(options.journal, journalOption);
  if (env.ORGCHAT_JOURNAL)
    return parseJournal(env.ORGCHAT_JOURNAL, { kind: 'variable', name: 'ORGCHAT_JOURNAL' });
  const active = await findActiveProfile(options, env);
  const journal = active?.profile.journal;
  return active && journal !== undefined
    ? parseJournal(journal, { kind: 'profile', name: active.name })
    : undefined;
}
