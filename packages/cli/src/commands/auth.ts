import { operations } from '@orgchat/spec';
import { patterns } from '@orgchat/spec/patterns';
import type { Command } from 'commander';
import { createFetch, describeServer } from '../connection/proxy-settings.ts';
import type { Context } from '../context.ts';
import { action, examples } from '../define-command.ts';
import { explain } from '../error-conversion/error-hints.ts';
import { checkBaseUrl, keyInArgumentsError, toCliError } from '../error-conversion/to-cli-error.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { ask } from '../input/prompt.ts';
import { maxKeyBytes } from '../input/read-bytes.ts';
import { readStdin } from '../input/read-input.ts';
import { addressWarnings, requireValidUrl } from '../settings/api-target.ts';
import { fileStore, type SecretStore, workingKeychain } from '../settings/key-stores.ts';
import { findProfile, readProfiles } from '../settings/profiles.ts';
import { readServer, resolveServerFile } from '../settings/server-file.ts';
import { describeSource } from '../settings/setting-source.ts';
import { removeTrailingSlashes } from '../settings/trailing-slashes.ts';
import { list, switchProfile, warnOfVariables } from './auth/profiles.ts';
import { chooseJournal, defaultName, removeLogin, saveLogin } from './auth/stored-login.ts';

/** How long to wait for the address before the key is asked for, unless --timeout says otherwise. */
const addressTimeoutMs = 10_000;

export function configure(command: Command): void {
  login(command);
  status(command);
  list(command);
  switchProfile(command);
  logout(command);
  examples(
    command,
    ['orgchat auth login', 'prompts for base URL and key'],
    ['orgchat auth status', 'shows the key in use and checks it'],
    ['orgchat auth switch staging', 'later commands use this profile'],
    ['orgchat auth logout'],
  );
}

interface LoginOptions {
  readonly withToken?: true;
  readonly insecureStorage?: true;
  readonly check?: boolean;
}

const getProfileName = (context: Context): string =>
  context.options.profile ?? (context.env.ORGCHAT_PROFILE || defaultName);

async function chooseStore(context: Context, insecure: boolean): Promise<SecretStore> {
  if (insecure) return fileStore();
  const system = await workingKeychain();
  if (system !== undefined) return system;
  context.output.warn(
    'no system keychain found; storing the key in a file that only you can read (mode 0600)',
  );
  return fileStore();
}

function login(command: Command): void {
  const entering = command
    .command('login')
    .description('save an API key')
    .allowExcessArguments()
    .option('--with-token', 'read the key from standard input')
    .option('--insecure-storage', 'store the key in a file (mode 0600) instead of the keychain')
    .option('--no-check', 'save the key without checking it');
  action<LoginOptions>(entering, async (context, options, typed) => {
    // A key that is typed as an argument gets its own error message.
    if (typed !== undefined) throw keyInArgumentsError();
    const name = getProfileName(context);
    const baseUrl = await chooseUrl(context, options, name);
    if (options.check !== false) await requireApi(context, baseUrl);
    const key = options.withToken ? (await readStdin(maxKeyBytes)).trim() : await ask('API key', 'secret');
    if (!patterns.apiKey.test(key)) {
      throw usageError(
        'The input is not a valid API key: it contains spaces, line breaks or other invalid characters.',
        'Pass only the key: orgchat auth login --with-token < key.txt',
        'INVALID_KEY',
      );
    }
    // Refused before the key is sent.
    chooseJournal(context, undefined);
    const account = options.check === false ? undefined : await verifyKey(context, baseUrl, key);
    const store = await chooseStore(context, options.insecureStorage === true);
    const profile = await saveLogin(context, name, { baseUrl, key }, store);
    context.output.note(`The key is stored in ${store.displayName}.`);
    warnOfVariables(context, name, profile);
    const { store: storage, ...stored } = profile;
    await context.output.one({ profile: name, ...stored, storage, ...account });
  });
  examples(
    entering,
    ['orgchat auth login', 'prompts for base URL and key'],
    ['orgchat auth login --with-token --base-url https://api.example.com/api/v1 < key.txt'],
    ['orgchat auth login --profile staging'],
    ['orgchat auth login --server server.yaml', 'the profile remembers the description of its server'],
    ['orgchat auth login --journal postgres://ci@db.example.com/orgchat', 'a journal shared with others'],
  );
}

/** The base URL of the profile: from an option, a variable, the stored profile, or a prompt. */
async function chooseUrl(context: Context, options: LoginOptions, name: string): Promise<string> {
  const { baseUrl: given } = context.options;
  const variable = context.env.ORGCHAT_BASE_URL || undefined;
  const known = findProfile(await readProfiles(), name)?.baseUrl;
  const baseUrl = given ?? variable ?? known ?? (await askUrl(options));
  const from =
    given !== undefined
      ? '--base-url'
      : variable !== undefined
        ? 'ORGCHAT_BASE_URL'
        : known !== undefined
          ? `The base URL of profile "${name}"`
          : 'The base URL';
  requireValidUrl(baseUrl, from);
  for (const warning of addressWarnings(baseUrl)) context.output.warn(warning);
  return baseUrl;
}

async function askUrl(options: LoginOptions): Promise<string> {
  if (options.withToken) {
    throw usageError(
      'No base URL configured: --base-url and ORGCHAT_BASE_URL are not set.',
      'Pass --base-url URL. Standard input is used for the key.',
      'NO_BASE_URL',
    );
  }
  return ask('Base URL, ending in /api/v1', 'text');
}

/**
 * Asks the address without a key: the API answers that one is required (clause 4.1.18). A key is not sent to what answers
 * otherwise.
 */
async function requireApi({ env, interrupt, options }: Context, baseUrl: string): Promise<void> {
  const url = `${removeTrailingSlashes(baseUrl)}${operations.getAccount.path}`;
  const signal = AbortSignal.any([
    interrupt.signal,
    AbortSignal.timeout(options.timeout ?? addressTimeoutMs),
  ]);
  const send = (await createFetch(baseUrl, env)) ?? fetch;
  // What cannot be reached is reported with the key, by the client that sends it.
  const response = await send(new Request(url, { redirect: 'manual', signal })).catch(() => undefined);
  interrupt.signal.throwIfAborted();
  await response?.body?.cancel();
  if (response === undefined || (response.status !== 404 && !response.ok)) return;
  throw new CliError(
    `No API at ${baseUrl}: GET ${url} was answered with ${response.status}. Nothing was saved.`,
    {
      code: 'NOT_FOUND',
      exit: exitCodes.notFound,
      hint: 'Check the base URL, including its path. It ends like https://api.example.com/api/v1',
      extra: { status: response.status },
    },
  );
}

/** Checks the key now, not at its first use in a script. */
async function verifyKey(
  context: Context,
  baseUrl: string,
  apiKey: string,
): Promise<Record<string, unknown>> {
  const { AuthenticationError, createClient } = await import('@orgchat/sdk');
  const fetch = await createFetch(baseUrl, context.env);
  // A new profile remembers no file yet.
  const isKnown = findProfile(await readProfiles(), getProfileName(context)) !== undefined;
  const server = await (isKnown ? resolveServerFile : readServer)(context.options, context.env);
  const client = createClient({
    apiKey,
    baseUrl,
    server,
    fetch,
    timeoutMs: context.options.timeout,
    retry: false,
  });
  try {
    const { organizationId, key, plan } = await client.account({ signal: context.interrupt.signal });
    return { organizationId, key, plan };
  } catch (error) {
    const server = describeServer(baseUrl, context.env);
    const failure = await toCliError(explain(error, { notFound: checkBaseUrl }), server);
    if (!(error instanceof AuthenticationError)) throw failure;
    const { message, code, exit, extra } = failure;
    const hint = 'Nothing was saved. Check that the key is complete and belongs to this server.';
    throw new CliError(message, { code, exit, hint, extra, cause: error });
  }
}

function status(command: Command): void {
  const asking = command.command('status').description('show the key and base URL in use and check the key');
  action(asking, async (context) => {
    const { target, sharedJournal } = await context.connect();
    const used = {
      baseUrl: target.baseUrl,
      baseUrlFrom: describeSource(target.baseUrlSource),
      keyFrom: describeSource(target.apiKeySource),
    };
    const account = await context.account().catch(async (error: unknown) => {
      throw (await context.toCliError(error)).withFacts(used, [
        `base URL: ${used.baseUrl} (from ${used.baseUrlFrom})`,
        `key: from ${used.keyFrom}`,
      ]);
    });
    await context.output.one({
      ...used,
      ...(sharedJournal && {
        journal: sharedJournal.name,
        journalFrom: describeSource(sharedJournal.setting.source),
      }),
      organizationId: account.organizationId,
      key: account.key,
      plan: account.plan,
    });
  });
  examples(asking, ['orgchat auth status'], ['orgchat auth status --profile staging']);
}

function logout(command: Command): void {
  const leaving = command.command('logout').description('remove the key of a profile');
  action(leaving, async (context) => {
    const { name, current, next, profiles } = await removeLogin(context);
    if (next !== undefined && next !== current) {
      context.output.note(`Commands now use profile "${next}" (${profiles[next]?.baseUrl}).`);
    }
    await context.output.one({ profile: name, loggedOut: true });
  });
  examples(leaving, ['orgchat auth logout'], ['orgchat auth logout --profile staging']);
}
