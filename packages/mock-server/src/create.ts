import { limits } from '@orgchat/spec';
import type { Sleep } from './doors/fetch.ts';
import { Keeper } from './durable/keeper.ts';
import { Mock } from './mock.ts';
import type { MockOptions } from './options.ts';
import { demoSeed } from './seed/demo.ts';
import { loadDocument } from './seed/document.ts';
import { loadSeedFile } from './seed/read.ts';
import { saveState } from './state/save.ts';
import type { Rules } from './world.ts';

const realSleep: Sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const counter = (prefix: string): (() => string) => {
  let count = 0;
  return () => `${prefix}${(++count).toString(36).padStart(8, '0')}`;
};

/**
 * Makes a mock server. With no options it is the demo organization in memory, with the limits of the contract.
 *
 * Throws a `SeedError` where the seed or the state does not fit its format.
 */
export function createMock(options: MockOptions = {}): Mock {
  const now = options.now ?? Date.now;
  // What is kept over a restart names requests; those of another run must have other names.
  const nextRequestId = counter(options.data === undefined ? 'req-' : `req-${now().toString(36)}-`);
  const onError = options.onError ?? ((error: unknown) => console.error(error));
  const rules: Rules = {
    perMinute: options.rateLimit === 'off' ? undefined : (options.rateLimit ?? limits.requestsPerMinute),
    monthly: options.monthlyLimit ?? 'plan',
    journalSize: options.journalSize ?? 10_000,
    nextRequestId,
    onError,
  };
  const surroundings = { rules, now, randomSeed: options.randomSeed ?? 1 };
  const source = options.state ?? options.seed ?? demoSeed;
  const origin =
    typeof source === 'string' ? loadSeedFile(source, surroundings) : loadDocument(source, surroundings);
  const keeper = options.data === undefined ? undefined : new Keeper(options.data);
  const kept = keeper?.load();
  return new Mock(
    {
      sandboxes: new Map(),
      sleep: options.sleep ?? realSleep,
      onError,
      nextRequestId,
      nextSandboxId: counter('sandbox-'),
      controlToken: options.controlToken,
      load: (state) => loadDocument(state, surroundings),
      save: saveState,
      keeper,
    },
    origin,
    undefined,
    kept === undefined ? undefined : loadDocument(kept, surroundings),
  );
}
