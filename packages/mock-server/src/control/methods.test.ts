import { expectTypeOf, it } from 'vitest';
import type { MockMethods } from './call.ts';
import type { CalledMethod } from './methods.ts';

/** What a caller in the same process needs, and what only shortens another method. */
type WithoutCall = 'fetch' | 'listen' | 'close' | 'addresses' | 'drop' | 'requests.dropped' | 'clock.advance';

it('each method of Mock has a call', () => {
  expectTypeOf<Exclude<keyof MockMethods, CalledMethod>>().toEqualTypeOf<WithoutCall>();
});
