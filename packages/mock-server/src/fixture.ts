import type { ClientOptions, OrgChatClient } from '@orgchat/sdk';
import { createMock } from './create.ts';
import { JournalAssertions } from './journal/assertions.ts';
import type { Mock } from './mock.ts';
import type { FileMockOptions } from './options.ts';

/** What a test gets: a world of its own, a client of it, and what can be asserted of its journal. */
export interface Fixture {
  readonly mock: Mock;
  /** A client of `@orgchat/sdk` with a key that may write (`mock.writeKey`), unpaced. */
  readonly client: OrgChatClient;
  readonly journal: JournalAssertions;
  /** A client with another key or other options. */
  readonly connect: (options?: Partial<ClientOptions>) => OrgChatClient;
}

export interface FixtureOptions {
  /** What the mock is made with; its limits are off unless given. */
  readonly mock?: FileMockOptions;
  /** What every client is made with. */
  readonly client?: Partial<ClientOptions>;
}

/** Makes fixtures that share one mock, each with a sandbox of it. */
export class Fixtures {
  readonly #options: FixtureOptions;
  #root: Promise<Mock> | undefined;

  constructor(options: FixtureOptions = {}) {
    this.#options = options;
  }

  async #makeRoot(): Promise<Mock> {
    return createMock({ rateLimit: 'off', ...this.#options.mock });
  }

  /** A fixture; `drop` it when its test is over. */
  async make(): Promise<Fixture & { readonly drop: () => void }> {
    const { createClient } = await import('@orgchat/sdk');
    this.#root ??= this.#makeRoot();
    const mock = (await this.#root).sandbox();
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
      journal: new JournalAssertions(mock),
      drop: () => mock.drop(),
    };
  }
}
