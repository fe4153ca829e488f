import fc from 'fast-check';
import { dataOf } from './random-data.ts';
import { resources } from './resources.ts';
import { accountIds, keys } from './seed.ts';

const nat = fc.nat({ max: 999 });
const weighted = <T>(usual: T, ...unusual: T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...unusual) },
  );

/** The key of a request: mostly one with permission. */
const key = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(keys.writer, keys.other) },
  { weight: 3, arbitrary: fc.constant(keys.assigned) },
  { weight: 2, arbitrary: fc.constantFrom(keys.reader, keys.viewer, 'nobody-key') },
);
const resource = fc.constantFrom(...resources);
/** A resource and data of it. */
const filled = fc.oneof(
  ...resources.map((one) => fc.record({ resource: fc.constant(one), data: dataOf(one) })),
);
const world = nat;

export type Guard = 'current' | 'padded' | 'stale' | 'never' | 'label';
const guard = weighted<Guard>('current', 'padded', 'stale', 'never', 'label');

/** The content of a change. */
const intents = fc.oneof(
  { weight: 5, arbitrary: fc.record({ is: fc.constant('create' as const), of: filled }) },
  {
    weight: 5,
    arbitrary: fc.record({ is: fc.constant('update' as const), of: filled, pick: nat, guard }),
  },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('delete' as const), resource, pick: nat, guard }) },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant('friend' as const),
      pick: nat,
      guard,
      data: fc.record(
        {
          notes: fc.constantFrom(null, '', ' seen '),
          status: fc.constantFrom('unread', 'in_progress', 'resolved'),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant('tags' as const),
      pick: nat,
      guard,
      tags: fc.array(nat, { maxLength: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('enroll' as const), pick: nat, scenario: nat }) },
);
export type Intent = typeof intents extends fc.Arbitrary<infer T> ? T : never;

const resolve = fc.oneof(
  fc.constant('never' as const),
  fc.record({ afterRequests: fc.nat({ max: 2 }) }, { noNullPrototype: true }),
  fc.record({ afterMs: fc.constantFrom(0, 1_000, 60_000) }, { noNullPrototype: true }),
);
const faults = fc.oneof(
  fc.constantFrom({ effect: 'drop-request' }, { effect: 'lose-response' }, { effect: 'cut-response' }),
  fc.record({ effect: fc.constant('respond'), status: fc.constantFrom(500, 502) }, { noNullPrototype: true }),
  fc.record(
    {
      effect: fc.constant('uncertain'),
      applied: fc.boolean(),
      resolve,
      answer: fc.constantFrom(undefined, 500, 502),
    },
    { noNullPrototype: true },
  ),
);
export type Fault =
  | { readonly effect: 'drop-request' | 'lose-response' | 'cut-response' }
  | { readonly effect: 'respond'; readonly status: 500 | 502 }
  | {
      readonly effect: 'uncertain';
      readonly applied: boolean;
      readonly resolve: 'never' | { afterRequests: number } | { afterMs: number };
      readonly answer?: 500 | 502;
    };

const keywords = fc.array(
  fc.constantFrom('a', ' a', 'A', 'b ', 'ｃ', 'first', 'd', 'e', 'f', 'g', 'h', 'i'),
  {
    minLength: 1,
    maxLength: 8,
  },
);

/** All kinds of steps. Numbers select one of the records that exist when the step runs. */
export const steps = {
  change: fc.record({ world, key, intent: intents, broken: weighted(false, true) }),
  faulted: fc.record({ world, key, intent: intents, fault: faults as fc.Arbitrary<Fault> }),
  twin: fc.record({ world, key, intent: intents }),
  again: fc.record({
    world,
    key,
    pick: nat,
    how: fc.constantFrom('same', 'same', 'respelled', 'other'),
  }),
  keywords: fc.record({
    world,
    key,
    site: fc.constantFrom('site-a', 'site-a', 'site b', 'site-c'),
    keywords,
    group: fc.constantFrom(undefined, '', ' new ', 'x'.repeat(31)),
  }),
  read: fc.record({
    world,
    key,
    what: fc.constantFrom(
      'list',
      'one',
      'friends',
      'friend',
      'conversations',
      'messages',
      'automations',
      'clicks',
      'accounts',
    ),
    resource,
    pick: nat,
    page: fc.record(
      { offset: fc.constantFrom(0, 1, 2, 1_000_000), limit: fc.constantFrom(1, 2, 50, 51) },
      { requiredKeys: [], noNullPrototype: true },
    ),
    search: fc.constantFrom(undefined, '', 'AI', ' 千', 'zz'),
  }),
  account: fc.record({ world, key }),
  clock: fc.record({ world, ms: fc.constantFrom(0, 1, 999, 20_000, 59_999, 60_000, 700_000, 2_678_400_000) }),
  organization: fc.record({
    world,
    plan: weighted('business', 'free', 'starter'),
    runtime: weighted<'up' | 'down'>('up', 'down'),
    deleted: weighted(false, true),
  }),
  key: fc.record({
    world,
    key: fc.constantFrom(keys.other, keys.assigned),
    scope: weighted<'read' | 'write'>('write', 'read'),
    revoked: weighted(false, true),
    suspended: weighted(false, true),
    editor: weighted(true, false),
    accountIds: fc.constantFrom<string[] | null>(null, [accountIds[0]], [accountIds[1]], []),
  }),
  rival: fc.record({ world, of: filled, pick: nat }),
  sandbox: fc.record({ world, from: fc.constantFrom('origin', 'state') }),
  drop: fc.record({ world }),
  reset: fc.record({ world }),
  restart: fc.record({ world, how: fc.constantFrom('restored', 'new') }),
} as const;

export type Steps = {
  readonly [K in keyof typeof steps]: (typeof steps)[K] extends fc.Arbitrary<infer T> ? T : never;
};
