import { readFile, stat } from 'node:fs/promises';
import { isLoopback } from '../connection/through-proxy.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure, usage } from '../failure.ts';
import type { GlobalOptions } from '../globals.ts';
import { removeTrailingSlashes } from '../trailing-slashes.ts';
import { type Profile, profileNamed, readProfiles } from './profiles.ts';
import { fileStore, keychain } from './secrets.ts';

/** Which API a command talks to, with which key, and where both were found. */
export interface Target {
  /** As `canonicalUrl` writes it, so that what is kept under it is found again. */
  readonly baseUrl: string;
  readonly baseUrlFrom: string;
  readonly apiKey: string;
  readonly apiKeyFrom: string;
  /** What may give the key away, such as a key file that others can read. */
  readonly warnings: readonly string[];
  /** The same of the address. */
  readonly addressWarnings: readonly string[];
}

interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
  /** Whether this run was told to use it; otherwise it is the profile of the last login. */
  readonly isAsked: boolean;
}

const denied = (code: string, message: string, hint: string): Failure =>
  new Failure(message, { code, exit: exitCodes.denied, hint });

async function chosenProfile(
  options: GlobalOptions,
  env: NodeJS.ProcessEnv,
): Promise<NamedProfile | undefined> {
  const asked = options.profile ?? (env.ORGCHAT_PROFILE || undefined);
  const known = await readProfiles();
  const name = asked ?? known.current;
  const profile = name === undefined ? undefined : profileNamed(known, name);
  if (asked !== undefined && profile === undefined) {
    const names = Object.keys(known.profiles);
    throw usage(
      `There is no profile named ${asked}.`,
      names.length === 0 ? `Make it: orgchat auth login --profile ${asked}` : `Known: ${names.join(', ')}`,
      'UNKNOWN_PROFILE',
    );
  }
  return name === undefined || profile === undefined
    ? undefined
    : { name, profile, isAsked: asked !== undefined };
}

async function keyFromFile(path: string): Promise<{ key: string; warnings: string[] }> {
  try {
    const [text, facts] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    const open = process.platform !== 'win32' && (facts.mode & 0o077) !== 0;
    return {
      key: text.trim(),
      warnings: open ? [`${path} can be read by others: chmod 600 ${path}`] : [],
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw denied(
      'KEY_FILE_UNREADABLE',
      `The key file cannot be read: ${reason}`,
      'Set ORGCHAT_API_KEY_FILE to a file with the key in it.',
    );
  }
}

async function keyOfProfile({ name, profile }: NamedProfile): Promise<string> {
  const store = profile.store === 'file' ? fileStore() : await keychain();
  const key = await store?.read(name);
  if (key !== undefined) return key;
  const place = store?.place ?? "the system's keychain, which cannot be reached";
  throw denied(
    'NO_KEY',
    `The key of the profile ${name} is not in ${place}.`,
    `Log in again: orgchat auth login --profile ${name}`,
  );
}

/** A key that cannot be a header's value is refused here, where the message cannot show it. */
function checked(key: string, from: string): string {
  if (key === '')
    throw denied('NO_KEY', `${from} holds no key.`, 'Put the key there, or log in: orgchat auth login');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw denied(
      'INVALID_KEY',
      `${from} holds something that is no key: it has spaces, line breaks or other signs in it.`,
      'Copy the key again, alone.',
    );
  }
  return key;
}

/**
 * One spelling of an address, the SDK's: host in lower case, no port that the protocol has by itself, no slash at the
 * end. What is kept for an organization, plans and imports among it, is kept under this.
 */
export const canonicalUrl = (url: string): string => removeTrailingSlashes(new URL(url).href);

const sameServer = (one: string, other: string): boolean =>
  URL.canParse(other) && canonicalUrl(one) === canonicalUrl(other);

const noKeyHint = 'Set ORGCHAT_API_KEY or ORGCHAT_API_KEY_FILE, or log in: orgchat auth login';

/** What is wrong with sending a key to an address. */
export function addressWarnings(baseUrl: string): string[] {
  const { protocol, hostname, host } = new URL(baseUrl);
  if (protocol === 'https:' || isLoopback(hostname)) return [];
  return [`the key is sent to ${host} without encryption, and can be read on the way; use https`];
}

/** Whoever could change the profile would get a key that was meant for another server. */
function keyWithoutAddress(variable: string, { name, profile }: NamedProfile): Failure {
  return usage(
    `${variable} is set without an address, and its key is not sent to the address of the current profile ${name} (${profile.baseUrl}) unasked.`,
    `Name the address: ORGCHAT_BASE_URL=${profile.baseUrl}; or unset ${variable} to use the key of the profile.`,
    'NO_BASE_URL',
  );
}

/**
 * Flags go before the environment, the environment before the profile. A profile named by --profile is a flag
 * too. The key of a profile is sent to the address of that profile and to no other; a key of the environment is sent
 * to an address that was named for this run, by itself or with ORGCHAT_PROFILE.
 */
export async function resolveTarget(options: GlobalOptions, env: NodeJS.ProcessEnv): Promise<Target> {
  const chosen = await chosenProfile(options, env);
  const named = options.profile === undefined ? undefined : chosen;

  const [given, baseUrlFrom] = options.baseUrl
    ? [options.baseUrl, '--base-url']
    : named
      ? [named.profile.baseUrl, `profile ${named.name}`]
      : env.ORGCHAT_BASE_URL
        ? [env.ORGCHAT_BASE_URL, 'ORGCHAT_BASE_URL']
        : chosen
          ? [chosen.profile.baseUrl, `profile ${chosen.name}`]
          : [undefined, ''];
  if (given === undefined) {
    throw usage(
      'No base URL is known.',
      'Set ORGCHAT_BASE_URL (orgchat mock start prints one), or log in: orgchat auth login',
      'NO_BASE_URL',
    );
  }
  checkUrl(given, baseUrlFrom);

  const baseUrl = canonicalUrl(given);
  const found = { baseUrl, baseUrlFrom, addressWarnings: addressWarnings(baseUrl) };
  const keyVariable =
    named !== undefined
      ? undefined
      : env.ORGCHAT_API_KEY
        ? 'ORGCHAT_API_KEY'
        : env.ORGCHAT_API_KEY_FILE
          ? 'ORGCHAT_API_KEY_FILE'
          : undefined;
  const isCurrentOnly = baseUrlFrom.startsWith('profile ') && chosen !== undefined && !chosen.isAsked;
  if (keyVariable !== undefined && isCurrentOnly) throw keyWithoutAddress(keyVariable, chosen);
  if (named === undefined && env.ORGCHAT_API_KEY) {
    return {
      ...found,
      apiKey: checked(env.ORGCHAT_API_KEY.trim(), 'ORGCHAT_API_KEY'),
      apiKeyFrom: 'ORGCHAT_API_KEY',
      warnings: [],
    };
  }
  if (named === undefined && env.ORGCHAT_API_KEY_FILE) {
    const { key, warnings } = await keyFromFile(env.ORGCHAT_API_KEY_FILE);
    return {
      ...found,
      apiKey: checked(key, env.ORGCHAT_API_KEY_FILE),
      apiKeyFrom: 'ORGCHAT_API_KEY_FILE',
      warnings,
    };
  }
  if (chosen === undefined) throw denied('NO_KEY', 'No API key is known.', noKeyHint);
  if (!sameServer(baseUrl, chosen.profile.baseUrl)) {
    throw denied(
      'KEY_OF_ANOTHER_SERVER',
      `The key of the profile ${chosen.name} belongs to ${chosen.profile.baseUrl} and is not sent to ${baseUrl}.`,
      noKeyHint,
    );
  }
  const key = await keyOfProfile(chosen);
  return {
    ...found,
    apiKey: checked(key, `profile ${chosen.name}`),
    apiKeyFrom: `profile ${chosen.name}`,
    warnings: [],
  };
}

/** Refuses what is not the address of an API; `from` says where it was given. */
export function checkUrl(text: string, from: string): void {
  const refuse = (problem: string, hint: string): Failure =>
    usage(`${from} ${problem}`, hint, 'INVALID_BASE_URL');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refuse(`is not a valid http or https URL: ${text}`, 'It looks like https://api.example.com/api/v1');
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse('carries a user name or password.', 'Leave them out; the key goes into ORGCHAT_API_KEY.');
  }
  // The paths of the API are added at its end.
  if (/[?#]/.test(url.href)) {
    throw refuse(
      'has a query or a fragment.',
      `Leave out what begins at the ? or #: ${url.origin}${url.pathname}`,
    );
  }
  if (url.pathname.includes('@')) {
    throw refuse(
      'has an @ in its path.',
      `Write it as %40: ${url.origin}${url.pathname.replaceAll('@', '%40')}`,
    );
  }
}
