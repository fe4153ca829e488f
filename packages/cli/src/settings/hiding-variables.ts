import { keyVariables, sameServer } from './api-target.ts';
import { parseJournal } from './journal-setting.ts';
import type { Profile } from './profiles.ts';
import { toServerFile } from './server-file.ts';

/** The variables because of which commands do not use all of the current profile. */
interface HidingVariables {
  /** Those that `--profile` overrides. */
  readonly overridden: readonly string[];
  readonly others: readonly string[];
}

/** Finds the variables that hide a part of a profile. */
export function findHidingVariables(
  name: string,
  { baseUrl, journal, server }: Profile,
  env: NodeJS.ProcessEnv,
): HidingVariables {
  // With any base URL of the environment, journal and server of the profile are not used.
  const isAddressHidden =
    env.ORGCHAT_BASE_URL && (!sameServer(baseUrl, env.ORGCHAT_BASE_URL) || journal || server);
  return {
    overridden: [
      ...(env.ORGCHAT_PROFILE && env.ORGCHAT_PROFILE !== name ? ['ORGCHAT_PROFILE'] : []),
      ...(isAddressHidden ? ['ORGCHAT_BASE_URL'] : []),
      ...keyVariables.filter((variable) => env[variable]),
    ],
    others: [
      ...(journal && env.ORGCHAT_JOURNAL && !isSameJournal(journal, env.ORGCHAT_JOURNAL)
        ? ['ORGCHAT_JOURNAL']
        : []),
      ...(server && env.ORGCHAT_SERVER && toServerFile(env.ORGCHAT_SERVER) !== server
        ? ['ORGCHAT_SERVER']
        : []),
    ],
  };
}

/** Whether two URLs name one journal. The variable may add the password, which a profile does not store. */
function isSameJournal(stored: string, given: string): boolean {
  const source = { kind: 'variable', name: 'ORGCHAT_JOURNAL' } as const;
  try {
    return parseJournal(stored, source)?.name === parseJournal(given, source)?.name;
  } catch {
    // It cannot be used, as each command says.
    return false;
  }
}
