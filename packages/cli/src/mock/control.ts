import type { Command } from 'commander';
import { fetchFor } from '../connection/through-proxy.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure, usage } from '../failure.ts';
import { removeTrailingSlashes } from '../trailing-slashes.ts';

export const defaultMockUrl = 'http://127.0.0.1:4010';

/** The token of the control API: the flag, or the environment. An empty variable counts as unset. */
export const controlTokenOf = (
  { controlToken }: { readonly controlToken?: string },
  env: NodeJS.ProcessEnv,
): string | undefined =>
  controlToken ?? (env.ORGCHAT_MOCK_CONTROL_TOKEN || env.ORGCHAT_MOCK_TOKEN || undefined);

export interface ControlOptions {
  readonly url?: string;
  readonly controlToken?: string;
}

export function addControlOptions(command: Command): Command {
  return command
    .option('--url <url>', `the mock server (ORGCHAT_MOCK_URL; default ${defaultMockUrl})`)
    .option('--control-token <token>', 'token of the control API (ORGCHAT_MOCK_CONTROL_TOKEN)');
}

/** The address of a mock or of a sandbox, from any of the addresses that are printed of it. */
export function rootOf(url: string): string {
  return removeTrailingSlashes(url).replace(/\/(?:api\/v1|_mock)$/, '');
}

export interface Answer {
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
    if (!URL.canParse(url)) throw usage(`"${url}" is no address.`, `It looks like ${defaultMockUrl}`);
    const { username, password } = new URL(url);
    if (username !== '' || password !== '') {
      throw usage(
        'The address of the mock carries a user name or password.',
        'Leave them out. A mock beyond loopback requires its token: ORGCHAT_MOCK_CONTROL_TOKEN.',
      );
    }
    this.root = rootOf(url);
    this.env = env;
    this.token = controlTokenOf(options, env);
  }

  get baseUrl(): string {
    return `${this.root}/api/v1`;
  }

  get controlUrl(): string {
    return `${this.root}/_mock`;
  }

  /** One call, whatever it is answered. */
  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const request = new Request(`${this.controlUrl}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(this.token !== undefined && { Authorization: `Bearer ${this.token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const send = (await fetchFor(this.root, this.env)) ?? fetch;
    let response: Response;
    try {
      response = await send(request);
    } catch (cause) {
      throw new Failure(`No mock server answers at ${this.root}.`, {
        code: 'MOCK_UNREACHABLE',
        exit: exitCodes.failed,
        hint: 'Start one: orgchat mock start; or name it with --url or ORGCHAT_MOCK_URL.',
        cause,
      });
    }
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : parsed(text, this.root) };
  }

  /** One call that has to succeed. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.send(method, path, body);
    if (answer.status < 300) return answer.body;
    throw refused(answer, `${method} ${path}`);
  }
}

function parsed(text: string, root: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Failure(`What answers at ${root} is no orgchat mock server.`, {
      code: 'NOT_A_MOCK',
      exit: exitCodes.failed,
      hint: 'Name the mock with --url or ORGCHAT_MOCK_URL.',
    });
  }
}

const exits: Record<number, Failure['exit']> = {
  400: exitCodes.usage,
  401: exitCodes.denied,
  403: exitCodes.denied,
  404: exitCodes.notFound,
  409: exitCodes.conflict,
  413: exitCodes.usage,
};

export function refused({ status, body }: Answer, what: string): Failure {
  const { error, message } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  return new Failure(
    `The mock answered ${what} with ${status}: ${String(message ?? error ?? 'no reason given')}`,
    {
      code: typeof error === 'string' ? error : 'MOCK_REFUSED',
      exit: exits[status] ?? exitCodes.failed,
      hint:
        status === 401 || status === 403
          ? 'Give the token that the mock printed: ORGCHAT_MOCK_CONTROL_TOKEN.'
          : 'Add --help to the command to see what it takes.',
      extra: { status },
    },
  );
}
