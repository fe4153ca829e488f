import { createLoadOptions, loadSource, serveWorld } from '../memory-mock.ts';
import type { Mock } from '../mock-interface.ts';
import { checkOptions } from '../options/check-options.ts';
import type { MockOptions } from '../options/options.ts';

export type * from '../generated/public-types.ts';
export { ControlError } from '../input-checks/control-error.ts';
export { MockOptionsError } from '../options/options.ts';
export { demoKeys, demoSeed } from '../seed/demo.ts';
export { type GenerateOptions, generateSeed } from '../seed/generate-seed.ts';
export { SeedError } from '../seed/seed-error.ts';

/** Options of `createMock` that need Node. */
const nodeOptions = ['controlToken', 'data', 'dataAcceptLoss'] as const;

/** Options of `createMock` in a browser: those of Node without a data file and without a token for its connections. */
export type BrowserMockOptions = Omit<MockOptions, (typeof nodeOptions)[number]>;

/** A mock in a page or a worker: that of Node without `listen`. It serves neither the inspector nor documents. */
export interface BrowserMock extends Omit<Mock, 'listen' | 'sandbox' | 'sandboxes'> {
  /** Creates an isolated mock, as on Node. */
  sandbox(input?: Parameters<Mock['sandbox']>[0]): BrowserMock;
  readonly sandboxes: ReadonlyMap<string, BrowserMock>;
}

/**
 * Creates a mock server in a page or a worker. Without options it has the demo organization and the limits of the
 * contract. Its state is in memory and gone with the page.
 *
 * Throws a `SeedError` if the seed or the state is invalid, and a `MockOptionsError` if another option is invalid.
 *
 * @example
 * const mock = createMock();
 * const response = await mock.fetch(`${mock.baseUrl}/me`, { headers: { Authorization: `Bearer ${mock.writeKey}` } });
 */
export function createMock(options: BrowserMockOptions = {}): BrowserMock {
  checkOptions(options, nodeOptions);
  const loadOptions = createLoadOptions(options, console.error);
  return serveWorld(options, loadOptions, loadSource(options.state ?? options.seed, loadOptions));
}
