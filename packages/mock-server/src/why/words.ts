import { formatPath } from '@orgchat/spec';
import { startOfJson } from '../primitives/bounded-json.ts';
import type { Key } from '../records/key.ts';
import type { DecidingWorld } from './cause.ts';

/* Parts of the sentences of explanations. */

const maxShown = 200;

/** A value as JSON; only the start if it is long. Every quote is closed, so that a reader of the text can tell names from words. */
export function show(value: unknown): string {
  const json = startOfJson(value, maxShown + 1) ?? 'nothing';
  if (json.length <= maxShown) return json;
  const start = json.slice(0, maxShown);
  const isInText = start.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').includes('"');
  return `${start}…${isInText ? '"' : ''}`;
}

export { toIsoString as showMoment } from '../primitives/clock.ts';

export const showPath = (path: readonly PropertyKey[]): string => formatPath(path);

/** `37 ms earlier`; undefined if it was long ago, or if the clock was moved back. */
export function showEarlier(milliseconds: number): string | undefined {
  if (milliseconds < 0 || milliseconds >= 120_000) return undefined;
  return milliseconds < 1000 ? `${milliseconds} ms earlier` : `${Math.round(milliseconds / 1000)} s earlier`;
}

/** Maximum number of things that are named. */
export const mostNamed = 3;

/** Names a few of several things: `a, b, c and 4 more`. */
export function showSome(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return more > 0 ? `${names.slice(0, mostNamed).join(', ')} and ${more} more` : names.join(', ');
}

/** Whether the API accepts a key at all. */
function isAccepted(world: DecidingWorld, key: Key): boolean {
  const organization = world.organizations.get(key.organizationId);
  if (organization === undefined || organization.settings.deleted || key.revoked || key.suspended)
    return false;
  return world.plans.get(organization.settings.plan)?.apiAccess === true;
}

/** Says which keys are accepted. */
export function suggestKeys(world: DecidingWorld, isUsable: (key: Key) => boolean): string {
  const names = world
    .listKeys()
    .filter((key) => isAccepted(world, key) && isUsable(key))
    .map(({ name }) => `key ${show(name)}`);
  if (names.length === 0) return 'No key of this mock is accepted here.';
  return `Use ${names.length === 1 ? '' : 'one of: '}${showSome(names)}.`;
}
