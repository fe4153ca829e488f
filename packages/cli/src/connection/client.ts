import { type ClientEvent, type ClientOptions, createClient, type OrgChatClient } from '@orgchat/sdk';
import type { ServerDescription } from '@orgchat/spec';
import { limits } from '@orgchat/spec/limits';
import type { GlobalOptions } from '../args/global-options.ts';
import { escapeLine } from '../output/escape.ts';
import type { Output } from '../output/output.ts';
import { writeError } from '../output/streams.ts';
import { debugText } from '../output/write-cli-error.ts';
import { resolveTarget, type Target } from '../settings/api-target.ts';
import { resolveJournal } from '../settings/journal-setting.ts';
import { resolveServerFile } from '../settings/server-file.ts';
import { describeSource } from '../settings/setting-source.ts';
import { SharedJournal } from '../shared-journal/shared-journal.ts';
import { openJournal } from './journal.ts';
import { createFetch, describeServer } from './proxy-settings.ts';
import { reportWaits } from './wait-notices.ts';

/** A duration is measured to a fraction of a millisecond, which nobody reads. */
function formatFact(value: unknown): string {
  if (typeof value === 'number') return String(Math.round(value));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** One line per event, for --debug. Events carry no key, no headers and no bodies. */
function formatEvent(event: ClientEvent): string {
  const { type, ...facts } = event;
  const words = Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${formatFact(value)}`);
  return debugText(escapeLine(`${type} ${words.join(' ')}`));
}

/** Creates the listener for client events: it reports waits, and with --debug everything. */
function createEventListener({ debug, pacing }: GlobalOptions, output: Output): (event: ClientEvent) => void {
  const tell = reportWaits(
    (line) => output.note(line),
    typeof pacing === 'number' ? pacing : limits.requestsPerMinute,
  );
  return (event) => {
    if (debug) writeError(formatEvent(event));
    tell(event);
  };
}

export interface Connection {
  readonly client: OrgChatClient;
  /** The listener of `client`: it reports waits, and with --debug everything. */
  readonly onEvent: (event: ClientEvent) => void;
  readonly target: Target;
  /** The server, as `describeServer` writes it. */
  readonly server: string;
  /** The description of the server in `--server`, if there is one. */
  readonly description: ServerDescription | undefined;
  /** The journal that several machines share; undefined for the one in the state directory. */
  readonly sharedJournal: SharedJournal | undefined;
}

/** The shared journal of this run, if there is one. Nothing is loaded before it is used. */
export async function findSharedJournal(
  options: GlobalOptions,
  env: NodeJS.ProcessEnv,
  output: Output,
): Promise<SharedJournal | undefined> {
  const setting = await resolveJournal(options, env);
  return setting && new SharedJournal(setting, (message) => output.warn(message));
}

/** A client for the target of this run, with the journal that outlives it. */
export async function connect(
  options: GlobalOptions,
  env: NodeJS.ProcessEnv,
  output: Output,
): Promise<Connection> {
  const target = await resolveTarget(options, env);
  for (const warning of [...target.addressWarnings, ...target.warnings]) output.warn(warning);
  const sharedJournal = await findSharedJournal(options, env, output);
  const { retries, pacing } = options;
  const server = describeServer(target.baseUrl, env);
  if (options.debug) {
    const sources = [
      `${target.baseUrl} from ${describeSource(target.baseUrlSource)}`,
      `key from ${describeSource(target.apiKeySource)}`,
      ...(sharedJournal
        ? [`journal ${sharedJournal.name} from ${describeSource(sharedJournal.setting.source)}`]
        : []),
    ];
    writeError(`debug: server ${escapeLine(`${server} (${sources.join(', ')})`)}\n`);
  }
  const onEvent = createEventListener(options, output);
  const description = await resolveServerFile(options, env);
  const clientOptions: ClientOptions = {
    apiKey: target.apiKey,
    baseUrl: target.baseUrl,
    journal: sharedJournal?.journal ?? openJournal(),
    server: description,
    language: options.language,
    timeoutMs: options.timeout,
    retry: retries === undefined ? undefined : retries === 0 ? false : { maxAttempts: retries + 1 },
    pacing: typeof pacing === 'number' ? { perMinute: pacing } : pacing,
    fetch: await createFetch(target.baseUrl, env),
    onEvent,
  };
  return {
    client: createClient(clientOptions),
    onEvent,
    target,
    server,
    description,
    sharedJournal,
  };
}
