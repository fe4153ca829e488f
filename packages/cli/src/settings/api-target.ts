import { patterns } from '@orgchat/spec/patterns';
import type { GlobalOptions } from '../args/global-options.ts';
import { toShellWord } from '../args/shell-word.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { describeSystemError } from '../errors/get-reason.ts';
import { maxKeyBytes, readBytes } from '../input/read-bytes.ts';
import { fileStore, keychain } from './key-stores.ts';
import { isLoopback } from './loopback.ts';
import { describeOpenFile, findOpenKeyFile, findOpenProfileFiles } from './open-files.ts';
import { findProfile, type Profile, readProfiles } from './profiles.ts';
import { describeSource, type SettingSource } from './setting-source.ts';
import { removeTrailingSlashes } from './trailing-slashes.ts';

/** The API that a command talks to. */
interface Address {
  /** As `canonicalUrl` returns it, so that data stored under it is found. */
  readonly baseUrl: string;
  readonly baseUrlSource: SettingSource;
  /** Risks of the address, such as http without encryption. */
  readonly addressWarnings: readonly string[];
}

interface Key {
  readonly apiKey: string;
  readonly apiKeySource: SettingSource;
  /** Risks for the key, such as a key file that other users can read. */
  readonly warnings: readonly string[];
}

/** Which API a command talks to, with which key, and where both were found. */
export type Target = Address & Key;

interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
  /** Whether this run selected the profile; otherwise it is the profile of the last login. */
  readonly isAsked: boolean;
}

const authenticationError = (code: string, message: string, hint: string): CliError =>
  new CliError(message, { code, exit: exitCodes.denied, hint });

async function chosenProfile(
  options: GlobalOptions,
  env: NodeJS.ProcessEnv,
): Promise<NamedProfile | undefined> {
  const profileName = options.profile ?? (env.ORGCHAT_PROFILE || undefined);
  const known = await readProfiles();
  const name = profileName ?? known.current;
  const profile = name === undefined ? undefined : findProfile(known, name);
  if (profileName !== undefined && profile === undefined) {
    const names = Object.keys(known.profiles);
    throw usageError(
      `No profile named "${profileName}".`,
      names.length === 0
        ? `Create it: orgchat auth login --profile ${toShellWord(profileName)}`
        : `Known profiles: ${names.join(', ')}.`,
      'UNKNOWN_PROFILE',
    );
  }
  return name === undefined || profile === undefined
    ? undefined
    : { name, profile, isAsked: profileName !== undefined };
}

/** The profile whose server is used; undefined if the base URL comes from an option or a variable. */
export async function findActiveProfile(
  options: GlobalOptions,
  env: NodeJS.ProcessEnv,
): Promise<NamedProfile | undefined> {
  const isGiven = options.baseUrl || (options.profile === undefined && env.ORGCHAT_BASE_URL);
  return isGiven ? undefined : chosenProfile(options, env);
}

async function keyFromFile(path: string): Promise<{ key: string; warnings: string[] }> {
  try {
    const bytes = await readBytes(path, maxKeyBytes);
    const open = await findOpenKeyFile(path);
    return { key: bytes.toString('utf8').trim(), warnings: open.map(describeOpenFile) };
  } catch (error) {
    throw authenticationError(
      'KEY_FILE_UNREADABLE',
      `Cannot read the key file: ${describeSystemError(error)}`,
      'Set ORGCHAT_API_KEY_FILE to a file that contains the key.',
    );
  }
}

async function keyOfProfile({ name, profile }: NamedProfile): Promise<string> {
  const store = profile.store === 'file' ? fileStore() : await keychain();
  const stored = await store?.read(name);
  const hint = `Log in again: orgchat auth login --profile ${toShellWord(name)}`;
  if (stored === undefined) {
    const storeName = store?.displayName ?? 'the system keychain, which cannot be accessed';
    throw authenticationError('NO_KEY', `The key of profile "${name}" is not in ${storeName}.`, hint);
  }
  // A login that was interrupted between key and profile, or a profile that was edited.
  if (!sameServer(profile.baseUrl, stored.baseUrl))
    throw authenticationError(
      'KEY_OF_ANOTHER_SERVER',
      `The stored key of profile "${name}" belongs to ${stored.baseUrl} and is not sent to ${profile.baseUrl}.`,
      hint,
    );
  return stored.key;
}

/** Rejects a key that is not a valid header value here, so that no message shows it. */
function checkKey(key: string, from: string): string {
  if (key === '')
    throw authenticationError(
      'NO_KEY',
      `${from} contains no key.`,
      'Add the key, or log in: orgchat auth login',
    );
  if (!patterns.apiKey.test(key)) {
    throw authenticationError(
      'INVALID_KEY',
      `${from} is not a valid API key: it contains spaces, line breaks or other invalid characters.`,
      'Copy only the key, nothing around it.',
    );
  }
  return key;
}

/**
 * Normalizes a URL like the SDK: host in lower case, no default port, no trailing slash. Data of an organization,
 * such as plans and imports, is stored under this URL.
 */
export const canonicalUrl = (url: string): string => removeTrailingSlashes(new URL(url).href);

export const sameServer = (one: string, other: string): boolean =>
  URL.canParse(other) && canonicalUrl(one) === canonicalUrl(other);

const noKeyHint = 'Set ORGCHAT_API_KEY or ORGCHAT_API_KEY_FILE, or log in: orgchat auth login';

/** Warnings about sending a key to an address. */
export function addressWarnings(baseUrl: string): string[] {
  const { protocol, hostname, host } = new URL(baseUrl);
  if (protocol === 'https:' || isLoopback(hostname)) return [];
  return [`the key is sent to ${host} without encryption; use https`];
}

/** Anyone who can change the profile could otherwise receive a key that is meant for another server. */
function keyWithoutAddressError(variable: string, { name, profile }: NamedProfile): CliError {
  return usageError(
    `${variable} is set without a base URL. Its key is not sent to the server of the current profile "${name}" (${profile.baseUrl}).`,
    `Set ORGCHAT_BASE_URL=${profile.baseUrl}, or unset ${variable} to use the key of the profile.`,
    'NO_BASE_URL',
  );
}

/**
 * Finds base URL and key. Flags take precedence over the environment, the environment over the profile; --profile is
 * a flag, too. The key of a profile is sent only to the server of that profile. A key from the environment is sent
 * only to a URL that was set for this run, directly or with ORGCHAT_PROFILE.
 */
export async function resolveTarget(options: GlobalOptions, env: NodeJS.ProcessEnv): Promise<Target> {
  const variable = options.profile === undefined ? keyVariables.find((name) => env[name]) : undefined;
  const isGiven = (options.baseUrl || env.ORGCHAT_BASE_URL) && variable !== undefined && !env.ORGCHAT_PROFILE;
  // Where nothing of a profile is used, its file may be broken or unreadable.
  const chosen = isGiven ? undefined : await chosenProfile(options, env);
  const address = findAddress(options, env, chosen);
  const key =
    variable === undefined
      ? await findProfileKey(address, chosen)
      : await findVariableKey(variable, env[variable] ?? '', address, chosen);
  const usesProfile = [address.baseUrlSource, key.apiKeySource].some(({ kind }) => kind === 'profile');
  const open = usesProfile ? await findOpenProfileFiles() : [];
  return { ...address, ...key, warnings: [...key.warnings, ...open.map(describeOpenFile)] };
}

function findAddress(
  options: GlobalOptions,
  env: NodeJS.ProcessEnv,
  chosen: NamedProfile | undefined,
): Address {
  const found = findUrl(options, env, chosen);
  if (found === undefined) {
    throw usageError(
      'No base URL configured: --base-url and ORGCHAT_BASE_URL are not set, and no profile is selected.',
      'Set ORGCHAT_BASE_URL (orgchat mock start prints one), or log in: orgchat auth login',
      'NO_BASE_URL',
    );
  }
  requireValidUrl(found.url, describeSource(found.source));
  const baseUrl = canonicalUrl(found.url);
  return { baseUrl, baseUrlSource: found.source, addressWarnings: addressWarnings(baseUrl) };
}

function findUrl(
  options: GlobalOptions,
  env: NodeJS.ProcessEnv,
  chosen: NamedProfile | undefined,
): { readonly url: string; readonly source: SettingSource } | undefined {
  if (options.baseUrl) return { url: options.baseUrl, source: { kind: 'option', name: '--base-url' } };
  if (options.profile === undefined && env.ORGCHAT_BASE_URL)
    return { url: env.ORGCHAT_BASE_URL, source: { kind: 'variable', name: 'ORGCHAT_BASE_URL' } };
  return chosen && { url: chosen.profile.baseUrl, source: { kind: 'profile', name: chosen.name } };
}

export const keyVariables = ['ORGCHAT_API_KEY', 'ORGCHAT_API_KEY_FILE'] as const;

/** Reads the key that a variable of the environment has, or the file that it names. */
async function findVariableKey(
  variable: (typeof keyVariables)[number],
  value: string,
  { baseUrlSource }: Address,
  chosen: NamedProfile | undefined,
): Promise<Key> {
  if (baseUrlSource.kind === 'profile' && chosen !== undefined && !chosen.isAsked)
    throw keyWithoutAddressError(variable, chosen);
  const apiKeySource: SettingSource = { kind: 'variable', name: variable };
  if (variable === 'ORGCHAT_API_KEY')
    return { apiKey: checkKey(value.trim(), variable), apiKeySource, warnings: [] };
  const { key, warnings } = await keyFromFile(value);
  return { apiKey: checkKey(key, value), apiKeySource, warnings };
}

/** Reads the key of the profile that this run uses. */
async function findProfileKey({ baseUrl }: Address, chosen: NamedProfile | undefined): Promise<Key> {
  if (chosen === undefined)
    throw authenticationError(
      'NO_KEY',
      'No API key configured: ORGCHAT_API_KEY and ORGCHAT_API_KEY_FILE are not set, and no profile is selected.',
      noKeyHint,
    );
  if (!sameServer(baseUrl, chosen.profile.baseUrl)) {
    throw authenticationError(
      'KEY_OF_ANOTHER_SERVER',
      `The key of profile "${chosen.name}" belongs to ${chosen.profile.baseUrl} and is not sent to ${baseUrl}.`,
      noKeyHint,
    );
  }
  const apiKeySource: SettingSource = { kind: 'profile', name: chosen.name };
  const apiKey = checkKey(await keyOfProfile(chosen), describeSource(apiKeySource));
  return { apiKey, apiKeySource, warnings: [] };
}

/** A value that is not a URL is not repeated: if two variables were swapped, it is the key. */
const describeUrl = (text: string): string => (text.includes('://') ? `: ${text}` : '.');

/** Throws if a text is not the URL of an API; `from` names its source. */
export function requireValidUrl(text: string, from: string): void {
  const refuse = (problem: string, hint: string): CliError =>
    usageError(`${from} ${problem}`, hint, 'INVALID_BASE_URL');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refuse(
      `is not a valid http or https URL${describeUrl(text)}`,
      'Use a URL such as https://api.example.com/api/v1',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse('contains a user name or password.', 'Remove them. Set the key with ORGCHAT_API_KEY.');
  }
  // The paths of the API are added at its end.
  if (/[?#]/.test(url.href)) {
    throw refuse('has a query or a fragment.', `Remove the part from ? or #: ${url.origin}${url.pathname}`);
  }
  if (url.pathname.includes('@')) {
    throw refuse(
      'has an @ in its path.',
      `Write it as %40: ${url.origin}${url.pathname.replaceAll('@', '%40')}`,
    );
  }
}
