import type { ClientOptions, OrgChatClient } from '@orgchat/sdk';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock-interface.ts';
import type { FileMockOptions } from '../options/options.ts';
import { RequestLogAssertions } from './request-log-assertions.ts';

/** What a test gets: an isolated mock, a client for it, and assertions on its request log. */
export interface Fixture {
  readonly mock: Mock;
  /** A client of `@orgchat/sdk` with a write key (`mock.writeKey`) and without pacing. */
  readonly client: OrgChatClient;
  readonly requestLog: RequestLogAssertions;
  /** A client with another key or other options. */
  readonly connect: (options?: Partial<ClientOptions>) => OrgChatClient;
}

export interface FixtureOptions {
  /** Options of the mock; the rate limit is off by default. */
  readonly mock?: FileMockOptions;
  /** Options of every client. */
  readonly client?: Partial<ClientOptions>;
}

/** Loads the SDK, or says how to install it: it is an optional peer of this package, and not on npm. */
async function loadSdk(): Promise<typeof import('@orgchat/sdk')> {
  try {
    return await import('@orgchat/sdk');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw new Error(
      'The test fixtures of @orgchat/mock-server require @orgchat/sdk, which is not installed. It is not on npm yet: pack it in a clone of orgchat with "npm pack --workspace @orgchat/sdk", and install the file: npm install --save-dev ./orgchat-sdk-0.0.0.tgz',
      { cause },
    );
  }
}

/** Creates fixtures that share one mock; each has its own sandbox. */
export class Fixtures {
  readonly #options: FixtureOptions;
  #root: Promise<Mock> | undefined;

  constructor(options: FixtureOptions = {}) {
    this.#options = options;
  }

  async #makeRoot(): Promise<Mock> {
    return createMock({ rateLimit: 'off', ...this.#options.mock });
  }

  /** The mock that sandboxes are forked from. */
  root(): Promise<Mock> {
    this.#root ??= this.#makeRoot();
    return this.#root;
  }

  /** Creates a fixture; call `drop` when the test is over. */
  async make(): Promise<Fixture & { readonly drop: () => void }> {
    const { createClient } = await loadSdk();
    const mock = (await this.root()).sandbox();
    const connect = (options: Partial<ClientOptions> = {}): OrgChatClient =>
      createClient({
        apiKey: mock.writeKey ?? 'demo-write-key',
        baseUrl: mock.baseUrl,
        fetch: mock.fetch,
        pacing: false,
        ...this.#options.client,
        ...options,
      });
    return {
      mock,
      connect,
      client: connect(),
      requestLog: new RequestLogAssertions(mock),
      drop: () => mock.drop(),
    };
  }
}
