import type { Command } from 'commander';
import { action, examples } from '../action.ts';
import { describeServer, fetchFor } from '../connection/through-proxy.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure, usage } from '../failure.ts';
import { checkBaseUrl, keyInArguments, toFailure } from '../failures.ts';
import { readStdin } from '../input.ts';
import { ask } from '../prompt.ts';
import { readCodes } from '../settings/codes.ts';
import { profileNamed, readProfiles, writeProfiles } from '../settings/profiles.ts';
import { fileStore, keychain, type SecretStore, workingKeychain } from '../settings/secrets.ts';
import { addressWarnings, checkUrl } from '../settings/target.ts';

const defaultName = 'default';

export function configure(command: Command): void {
  login(command);
  status(command);
  logout(command);
  examples(
    command,
    ['orgchat auth login', 'asks for the address and the key'],
    ['orgchat auth status', 'which key is used, from where, and whether it is good'],
    ['orgchat auth logout'],
  );
}

interface LoginOptions {
  readonly withToken?: true;
  readonly insecureStorage?: true;
  readonly check?: boolean;
}

const nameOf = (context: Context): string =>
  context.options.profile ?? (context.env.ORGCHAT_PROFILE || defaultName);

async function storeFor(context: Context, insecure: boolean): Promise<SecretStore> {
  if (insecure) return fileStore();
  const system = await workingKeychain();
  if (system !== undefined) return system;
  context.output.warn(
    'there is no system keychain here; the key is kept in a file that only you can read (0600)',
  );
  return fileStore();
}

function login(command: Command): void {
  const entering = command
    .command('login')
    .description('keep a key for later commands')
    .allowExcessArguments()
    .option('--with-token', 'read the key from standard input')
    .option('--insecure-storage', 'keep the key in a file (0600), not in the keychain')
    .option('--no-check', 'keep it without asking the API whether it is good');
  action<LoginOptions>(entering, async (context, options, typed) => {
    // Someone who types the key after the command has to learn why that is not taken.
    if (typed !== undefined) throw keyInArguments();
    const name = nameOf(context);
    const baseUrl = await chooseUrl(context, options, name);
    const key = options.withToken ? (await readStdin()).trim() : await ask('API key', 'secret');
    if (!/^[\x21-\x7e]+$/.test(key)) {
      throw usage(
        'What was given is no key.',
        'Give the key alone: orgchat auth login --with-token < key.txt',
        'INVALID_KEY',
      );
    }
    const account = options.check === false ? undefined : await tryKey(context, baseUrl, key);
    const store = await storeFor(context, options.insecureStorage === true);
    await store.write(name, key);
    const before = await readProfiles();
    await writeProfiles({
      current: name,
      profiles: { ...before.profiles, [name]: { baseUrl, store: store.kind } },
    });
    context.output.note(`The key is kept in ${store.place}.`);
    await context.output.one({ profile: name, baseUrl, storage: store.kind, ...account });
  });
  examples(
    entering,
    ['orgchat auth login', 'asks for the address and the key'],
    ['orgchat auth login --with-token --base-url https://api.example.com/api/v1 < key.txt'],
    ['orgchat auth login --profile staging'],
  );
}

/** The address of the profile: given, known, or asked for. */
async function chooseUrl(context: Context, options: LoginOptions, name: string): Promise<string> {
  const { baseUrl: given } = context.options;
  const variable = context.env.ORGCHAT_BASE_URL || undefined;
  const known = profileNamed(await readProfiles(), name)?.baseUrl;
  const baseUrl = given ?? variable ?? known ?? (await askUrl(options));
  const from =
    given !== undefined
      ? '--base-url'
      : variable !== undefined
        ? 'ORGCHAT_BASE_URL'
        : known !== undefined
          ? `The address of the profile ${name}`
          : 'The base URL';
  checkUrl(baseUrl, from);
  for (const warning of addressWarnings(baseUrl)) context.output.warn(warning);
  return baseUrl;
}

async function askUrl(options: LoginOptions): Promise<string> {
  if (options.withToken) {
    throw usage('No base URL is known.', 'Add --base-url URL; standard input holds the key.', 'NO_BASE_URL');
  }
  return ask('Base URL, up to and with /api/v1', 'text');
}

/** A wrong key is better found now than at three in the morning. */
async function tryKey(context: Context, baseUrl: string, apiKey: string): Promise<Record<string, unknown>> {
  const { AuthenticationError, createClient } = await import('@orgchat/sdk');
  const fetch = await fetchFor(baseUrl, context.env);
  const codes = await readCodes(context.options, context.env);
  const client = createClient({
    apiKey,
    baseUrl,
    codes,
    fetch,
    timeoutMs: context.options.timeout,
    retry: false,
  });
  try {
    const { organizationId, key, plan } = await client.account({ signal: context.interrupt.signal });
    return { organizationId, key, plan };
  } catch (error) {
    const server = describeServer(baseUrl, context.env);
    const failure = await toFailure(error, { server, notFoundHint: checkBaseUrl });
    if (!(error instanceof AuthenticationError)) throw failure;
    const { message, code, exit, extra } = failure;
    const hint = 'Nothing was kept. Give the key again, all of it, for the organization of this address.';
    throw new Failure(message, { code, exit, hint, extra, cause: error });
  }
}

function status(command: Command): void {
  const asking = command
    .command('status')
    .description('which key and address are used, and whether the key is good');
  action(asking, async (context) => {
    const { target } = await context.connect();
    const account = await context.account();
    await context.output.one({
      baseUrl: target.baseUrl,
      baseUrlFrom: target.baseUrlFrom,
      keyFrom: target.apiKeyFrom,
      organizationId: account.organizationId,
      key: account.key,
      plan: account.plan,
    });
  });
  examples(asking, ['orgchat auth status'], ['orgchat auth status --profile staging']);
}

function logout(command: Command): void {
  const leaving = command.command('logout').description('forget the key of a profile');
  action(leaving, async (context) => {
    const { current, profiles } = await readProfiles();
    const name = context.options.profile ?? (context.env.ORGCHAT_PROFILE || (current ?? defaultName));
    const profile = profileNamed({ profiles }, name);
    if (profile === undefined) {
      throw new Failure(`There is no profile named ${name}.`, {
        code: 'UNKNOWN_PROFILE',
        exit: exitCodes.notFound,
        hint: `Known: ${Object.keys(profiles).join(', ') || 'none'}`,
      });
    }
    const store = profile.store === 'file' ? fileStore() : await keychain();
    await store?.remove(name);
    const { [name]: _, ...others } = profiles;
    const next = current === name ? Object.keys(others)[0] : current;
    await writeProfiles({ ...(next !== undefined && { current: next }), profiles: others });
    if (next !== undefined && next !== current) {
      context.output.note(`Commands use the profile ${next} (${profiles[next]?.baseUrl}) from now on.`);
    }
    await context.output.one({ profile: name, loggedOut: true });
  });
  examples(leaving, ['orgchat auth logout'], ['orgchat auth logout --profile staging']);
}
