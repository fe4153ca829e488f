import { createMock, type Mock, type MockOptions } from '@orgchat/mock-server';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { type ClientOptions, createClient, type Friend, type OrgChatClient } from '../src/index.ts';

/** A mock, what a client needs to reach it, and its end. */
interface Opened {
  readonly mock: Mock;
  readonly options: ClientOptions;
  readonly close: () => Promise<void>;
}

type Sleep = NonNullable<MockOptions['sleep']>;

/** Waits for the delays of a mock: really, or until a test ends them. */
class Delays {
  #held: (() => void)[] | undefined;

  readonly sleep: Sleep = (milliseconds, signal) =>
    new Promise((resolve) => {
      if (this.#held === undefined) setTimeout(resolve, milliseconds);
      else this.#held.push(resolve);
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });

  /** Delayed answers wait from now on; returns how to end their delays. */
  hold(): () => void {
    const held: (() => void)[] = [];
    this.#held = held;
    return () => {
      this.#held = undefined;
      for (const end of held) end();
    };
  }
}

const doors: Record<string, (sleep: Sleep) => Promise<Opened>> = {
  'in process': async (sleep) => {
    const mock = createMock({ rateLimit: 'off', sleep });
    return { mock, options: { baseUrl: mock.baseUrl, fetch: mock.fetch }, close: async () => undefined };
  },
  'over HTTP': async (sleep) => {
    const mock = createMock({ rateLimit: 'off', sleep });
    const { baseUrl, close } = await mock.listen({ port: 0 });
    return { mock, options: { baseUrl }, close };
  },
};

/** What a test finds: the demo as it begins, and a client that has done nothing yet. */
export interface Mocked {
  readonly mock: Mock;
  readonly client: OrgChatClient;
  /** What the client was made of. */
  readonly options: ClientOptions;
}

interface MockedAtDoor extends Mocked {
  /** Lets delayed answers wait until the returned function is called, however long their delay is. */
  readonly holdDelays: () => () => void;
}

/** A mock of its own, and a client of it, in process. */
export function mocked(more: MockOptions = {}): Mocked {
  const mock = createMock({ rateLimit: 'off', ...more });
  const options = {
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    apiKey: 'demo-write-key',
    pacing: false,
  } as const;
  return { mock, client: createClient(options), options };
}

/** Tests of a client against the mock: in process, and once more over HTTP. They read `at` when they run. */
export function atEachDoor(tests: (at: MockedAtDoor) => void): void {
  describe.each(Object.entries(doors))('%s', (_door, open) => {
    let mock: Mock;
    let options: ClientOptions;
    let close: () => Promise<void>;
    let client: OrgChatClient;
    const delays = new Delays();

    beforeAll(async () => {
      ({ mock, options, close } = await open(delays.sleep));
      options = {
        ...options,
        apiKey: 'demo-write-key',
        pacing: false,
        retry: { baseDelayMs: 1, maxDelayMs: 5 },
      };
    });
    afterAll(() => close());
    beforeEach(() => {
      mock.reset();
      client = createClient(options);
    });

    tests({
      holdDelays: () => delays.hold(),
      get mock() {
        return mock;
      },
      get client() {
        return client;
      },
      get options() {
        return options;
      },
    });
  });
}

/** A friend of the demo. */
export async function anyone(client: OrgChatClient): Promise<Friend> {
  for await (const friend of client.friends.list({ maxItems: 1 })) return friend;
  throw new Error('the demo has no friends');
}
