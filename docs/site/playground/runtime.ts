import {
  type BrowserMock,
  type BrowserMockOptions,
  createMock as createBrowserMock,
} from '@orgchat/mock-server/browser';

export * from '@orgchat/sdk';

/* What the code of the playground uses, in its worker. What it prints and what the mocks received goes to the page. */

/** A line of the request log. */
export interface SeenRequest {
  readonly call: string;
  /** The status and the code of an error, or that no answer came. */
  readonly ending: string;
  readonly isProblem: boolean;
  readonly because: string;
  /** The clause, or the decision, that the request ended by. */
  readonly rule: string | null;
}

export type Report =
  | { readonly kind: 'line'; readonly text: string; readonly isError: boolean }
  | { readonly kind: 'end'; readonly requests: readonly SeenRequest[] };

const report = (message: Report): void =>
  (globalThis as unknown as { postMessage(value: Report): void }).postMessage(message);

const mocks: BrowserMock[] = [];

export function createMock(options?: BrowserMockOptions): BrowserMock {
  const mock = createBrowserMock(options);
  mocks.push(mock);
  return mock;
}

const show = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  return JSON.stringify(value, null, 2) ?? String(value);
};

for (const name of ['log', 'info', 'warn', 'error'] as const) {
  console[name] = (...values: unknown[]) =>
    report({ kind: 'line', text: values.map(show).join(' '), isError: name === 'error' });
}

const listRequests = (): SeenRequest[] =>
  mocks.flatMap((mock) =>
    mock.requests
      .list()
      .map(({ method, path, status, error, answered, decidedBy: { because, clause, decision } }) => ({
        call: `${method} ${path}`,
        ending: answered ? [status, error].filter((part) => part !== null).join(' ') : 'no answer',
        isProblem: !answered || error !== null,
        because,
        rule: clause ?? decision ?? null,
      })),
  );

/** Runs the code, and reports its end. */
export async function run(code: () => Promise<void>): Promise<void> {
  try {
    await code();
  } catch (error) {
    console.error(error);
  }
  report({ kind: 'end', requests: listRequests() });
}
