import { isObject } from '@orgchat/spec/is-object';
import type { Command } from 'commander';
import { createFetch } from '../connection/proxy-settings.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { removeTrailingSlashes } from '../settings/trailing-slashes.ts';

const defaultMockUrl = 'http://127.0.0.1:4010/_mock';

/** The token of the control API: the flag, or the environment. An empty variable counts as unset. */
export const findControlToken = (
  { controlToken }: { readonly controlToken?: string },
  env: NodeJS.ProcessEnv,
): string | undefined =>
  controlToken ?? (env.ORGCHAT_MOCK_CONTROL_TOKEN || env.ORGCHAT_MOCK_TOKEN || undefined);

/** Warns of a token in the arguments, where other users of this machine can see it. */
export function warnOfVisibleToken(
  { controlToken }: { readonly controlToken?: string },
  output: { warn(text: string): void },
): void {
  if (controlToken !== undefined)
    output.warn(
      'Other users of this machine can see the token of --control-token in the process list. Set ORGCHAT_MOCK_CONTROL_TOKEN instead.',
    );
}

export interface ControlOptions {
  readonly url?: string;
  readonly controlToken?: string;
}

export function addControlOptions(command: Command): Command {
  return command
    .option('--url <url>', `URL of the mock server (ORGCHAT_MOCK_URL; default ${defaultMockUrl})`)
    .option('--control-token <token>', 'control API token (ORGCHAT_MOCK_CONTROL_TOKEN)');
}

/** The root URL of a mock or a sandbox, from any URL that is printed for it. */
function toRootUrl(url: string): string {
  return removeTrailingSlashes(url).replace(/\/(?:api\/v1|_mock)$/, '');
}

/** The bytes of a stream of events. */
export type EventBody = ReadableStream<Uint8Array<ArrayBuffer>>;

export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The control API of a running mock. */
export class Control {
  readonly root: string;
  private readonly token: string | undefined;
  private readonly env: NodeJS.ProcessEnv;

  constructor(options: ControlOptions, env: NodeJS.ProcessEnv) {
    const url = options.url ?? (env.ORGCHAT_MOCK_URL || defaultMockUrl);
    if (!URL.canParse(url))
      throw usageError(
        // Without "://" it may be a key, if two variables were swapped.
        `${url.includes('://') ? `"${url}"` : 'The URL of the mock'} is not a valid URL.`,
        `Use a URL such as ${defaultMockUrl}`,
      );
    const { username, password } = new URL(url);
    if (username !== '' || password !== '') {
      throw usageError(
        'The URL of the mock contains a user name or password.',
        'Remove them. A mock beyond loopback requires a token: ORGCHAT_MOCK_CONTROL_TOKEN.',
      );
    }
    this.root = toRootUrl(url);
    this.env = env;
    this.token = findControlToken(options, env);
  }

  get baseUrl(): string {
    return `${this.root}/api/v1`;
  }

  get controlUrl(): string {
    return `${this.root}/_mock`;
  }

  /** The address of the inspector. A browser does not send what follows `#`. */
  get inspectorUrl(): string {
    return this.token === undefined
      ? `${this.controlUrl}/`
      : `${this.controlUrl}/#token=${encodeURIComponent(this.token)}`;
  }

  /** Sends one call and returns any response. */
  async send(method: string, path: string, body?: unknown): Promise<ControlAnswer> {
    const response = await this.fetch(path, {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return this.toAnswer(response);
  }

  private async toAnswer(response: Response): Promise<ControlAnswer> {
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : parsed(text, this.root) };
  }

  /** Opens a stream of events that continues after an id, or begins now. Throws if the mock rejects it. */
  async openEvents(lastEventId: string | undefined, signal: AbortSignal): Promise<EventBody> {
    const headers = { ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }) };
    const response = await this.fetch('/events', { headers, signal });
    if (response.status === 200 && response.body !== null) return response.body;
    throw controlError(await this.toAnswer(response), 'GET', '/events');
  }

  private async fetch(path: string, init: RequestInit & { readonly headers: object }): Promise<Response> {
    const authorization = this.token !== undefined && { Authorization: `Bearer ${this.token}` };
    const request = new Request(`${this.controlUrl}${path}`, {
      ...init,
      headers: { ...init.headers, ...authorization },
    });
    const send = (await createFetch(this.root, this.env)) ?? fetch;
    try {
      return await send(request);
    } catch (cause) {
      request.signal.throwIfAborted();
      throw new CliError(`No mock server answers at ${this.root}.`, {
        code: 'MOCK_UNREACHABLE',
        exit: exitCodes.failed,
        hint: 'Start one with orgchat mock start, or set its address with --url or ORGCHAT_MOCK_URL.',
        cause,
      });
    }
  }

  /** Sends one call. Throws if the mock rejects it. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.send(method, path, body);
    if (answer.status < 300) return answer.body;
    throw controlError(answer, method, path);
  }
}

function parsed(text: string, root: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CliError(`The server at ${root} is not an orgchat mock server.`, {
      code: 'NOT_A_MOCK',
      exit: exitCodes.failed,
      hint: 'Set the address of the mock with --url or ORGCHAT_MOCK_URL.',
    });
  }
}

const exits: Record<number, CliError['exit']> = {
  400: exitCodes.usage,
  401: exitCodes.denied,
  403: exitCodes.denied,
  404: exitCodes.notFound,
  409: exitCodes.conflict,
  413: exitCodes.usage,
};

/** Commands that list what a call of the control API did not find, by the first part of its path. */
const listCommands: Readonly<Record<string, string>> = {
  faults: 'orgchat mock fault list',
  requests: 'orgchat mock requests list',
  rewind: 'orgchat mock requests list',
  sandboxes: 'orgchat mock sandbox list',
};

function createHint({ status, body }: ControlAnswer, path: string): string {
  if (status === 401 || status === 403)
    return 'Set ORGCHAT_MOCK_CONTROL_TOKEN to the token that the mock printed.';
  if (isObject(body) && body.error === 'HISTORY_OFF') return 'Turn it on: orgchat mock limits --history 100';
  const [, root = ''] = /^\/(\w+)/.exec(path) ?? [];
  const list = Object.hasOwn(listCommands, root) ? listCommands[root] : undefined;
  return status === 404 && list !== undefined ? `See what there is: ${list}` : 'See the options with --help.';
}

/** The error of a call that the mock rejected. */
export function controlError(answer: ControlAnswer, method: string, path: string): CliError {
  const { status, body } = answer;
  const { error, message } = isObject(body) ? body : {};
  return new CliError(
    `The mock answered ${method} ${path} with ${status}: ${String(message ?? error ?? 'no reason given')}`,
    {
      code: typeof error === 'string' ? error : 'MOCK_REFUSED',
      exit: exits[status] ?? exitCodes.failed,
      hint: createHint(answer, path),
      extra: { status },
    },
  );
}
