import { expectTypeOf, it } from 'vitest';
import type * as source from '../../generate/public-types.source.ts';
import type * as types from './public-types.ts';

/** The same type with everything in it read-only, as the generated types are. */
type Frozen<T> = T extends (infer I)[]
  ? readonly Frozen<I>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

it('the public types match the schemas', () => {
  expectTypeOf<types.OperationName>().toEqualTypeOf<source.OperationName>();
  expectTypeOf<Frozen<types.FaultInput>>().toEqualTypeOf<Frozen<source.FaultInput>>();
  expectTypeOf<Frozen<types.Fault>>().toEqualTypeOf<Frozen<source.Fault>>();
  expectTypeOf<Frozen<types.Verification>>().toEqualTypeOf<Frozen<source.Verification>>();
  expectTypeOf<Frozen<types.OrganizationPatch>>().toEqualTypeOf<Frozen<source.OrganizationPatch>>();
  expectTypeOf<Frozen<types.KeyPatch>>().toEqualTypeOf<Frozen<source.KeyPatch>>();
  expectTypeOf<Frozen<types.ClockMove>>().toEqualTypeOf<Frozen<source.ClockMove>>();
  expectTypeOf<Frozen<types.EditInput>>().toEqualTypeOf<Frozen<source.EditInput>>();
  expectTypeOf<Frozen<types.SandboxInput>>().toEqualTypeOf<Frozen<source.SandboxInput>>();
  expectTypeOf<Frozen<types.SeedDocument>>().toEqualTypeOf<Frozen<source.SeedDocument>>();
});
