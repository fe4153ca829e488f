import { type ClientEvent, createClient, type OrgChatClient } from '@orgchat/sdk';
import { limits } from '@orgchat/spec/limits';
import type { GlobalOptions } from '../args/global-options.ts';
import { debugText } from '../errors/write-cli-error.ts';
import { escapeLine } from '../output/escape.ts';
import type { Output } from '../output/output.ts';
import { writeError } from '../output/streams.ts';
import { resolveTarget, type Target } from '../settings/api-target.ts';
import { readCodes } from '../settings/server-codes.ts';
import { openJournal } from './journal.ts';
import { createFetch, describeServer } from './proxy-settings.ts';
import { reportWaits } from './wait-notices.ts';

/** One line per event, for --debug. Events carry no key, no headers and no bodies. */
function formatEvent(event: ClientEvent): string {
  const { type, ...facts } = event;
  const words = Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
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
  readonly target: Target;
  /** The server, as `describeServer` writes it. */
  readonly server: string;
}

/** A client for the target of this run, with the journal that outlives it. */
export async function connect(
  options: GlobalOptions,
  env: NodeJS.ProcessEnv,
  output: Output,
): Promise<Connection> {
  const target = await resolveTarget(options, env);
  for (const warning of [...target.addressWarnings, ...target.warnings]) output.warn(warning);
  const { retries, pacing } = options;
  const server = describeServer(target.baseUrl, env);
  if (options.debug)
    writeError(
      `debug: server ${escapeLine(`${server} (${target.baseUrl} from ${target.baseUrlFrom}, key from ${target.apiKeyFrom})`)}\n`,
    );
  const client = createClient({
    apiKey: target.apiKey,
    baseUrl: target.baseUrl,
    journal: openJournal(),
    codes: await readCodes(options, env),
    language: options.language,
    timeoutMs: options.timeout,
    retry: retries === undefined ? undefined : retries === 0 ? false : { maxAttempts: retries + 1 },
    pacing: typeof pacing === 'number' ? { perMinute: pacing } : pacing,
    fetch: await createFetch(target.baseUrl, env),
    onEvent: createEventListener(options, output),
  });
  return { client, target, server };
}
