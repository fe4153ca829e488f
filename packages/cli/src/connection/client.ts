import { type ClientEvent, createClient, type OrgChatClient } from '@orgchat/sdk';
import { limits } from '../contract.ts';
import type { GlobalOptions } from '../globals.ts';
import { debugText } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { plainLine } from '../output/plain.ts';
import { readCodes } from '../settings/codes.ts';
import { resolveTarget, type Target } from '../settings/target.ts';
import { writeError } from '../streams.ts';
import { journal } from './journal.ts';
import { describeServer, fetchFor } from './through-proxy.ts';
import { tellWaits } from './waits.ts';

/** One line an event, for --debug. Events carry no key, no headers and no bodies. */
function describe(event: ClientEvent): string {
  const { type, ...facts } = event;
  const words = Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
  return debugText(plainLine(`${type} ${words.join(' ')}`));
}

/** What of the client's doings is said: waits, and everything where it is asked for. */
function listener({ debug, pacing }: GlobalOptions, output: Output): (event: ClientEvent) => void {
  const tell = tellWaits(
    (line) => output.note(line),
    typeof pacing === 'number' ? pacing : limits.requestsPerMinute,
  );
  return (event) => {
    if (debug) writeError(describe(event));
    tell(event);
  };
}

export interface Connection {
  readonly client: OrgChatClient;
  readonly target: Target;
  /** Who is asked, as `describeServer` writes it. */
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
      `debug: server ${plainLine(`${server} (${target.baseUrl} from ${target.baseUrlFrom}, key from ${target.apiKeyFrom})`)}\n`,
    );
  const client = createClient({
    apiKey: target.apiKey,
    baseUrl: target.baseUrl,
    journal: journal(),
    codes: await readCodes(options, env),
    language: options.language,
    timeoutMs: options.timeout,
    retry: retries === undefined ? undefined : retries === 0 ? false : { maxAttempts: retries + 1 },
    pacing: typeof pacing === 'number' ? { perMinute: pacing } : pacing,
    fetch: await fetchFor(target.baseUrl, env),
    onEvent: listener(options, output),
  });
  return { client, target, server };
}
