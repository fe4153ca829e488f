import { announceEdit } from '../apply/announce.ts';
import { invalid, notFound } from '../control-input/control-error.ts';
import { findOrganization } from '../control-input/find-organization.ts';
import { parseControl } from '../control-input/parse-control.ts';
import type { Key } from '../records/key.ts';
import { createKey } from '../records/key.ts';
import type { Settings } from '../records/organization.ts';
import type { World } from '../world/world.ts';
import { keyPatch, organizationPatch } from './input.ts';

const omitUndefined = <T extends object>(patch: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

/** Changes the main organization, effective with the next request. */
export function patchOrganization(
  world: World,
  value: unknown,
  query: unknown,
): Settings & { readonly id: string } {
  const patch = parseControl(organizationPatch(), value);
  const organization = findOrganization(world, query);
  if (patch.plan !== undefined && !world.plans.has(patch.plan)) {
    throw invalid(`plan must be one of ${[...world.plans.keys()].join(', ')}, got "${patch.plan}".`);
  }
  organization.settings = { ...organization.settings, ...omitUndefined(patch) };
  world.recorder?.('settings', organization.id, '', organization.settings);
  announceEdit(world, organization, 'organizations', { id: organization.id, revision: '' });
  return { id: organization.id, ...organization.settings };
}

/** Changes a key or its creator's rights, effective with the next request. */
export function patchKey(
  world: World,
  secret: string,
  value: unknown,
): Omit<Key, 'key' | 'accountScope' | 'masked'> {
  const patch = parseControl(keyPatch(), value);
  const key = world.keys.get(secret);
  const organization = key && world.organizations.get(key.organizationId);
  if (key === undefined || organization === undefined)
    throw notFound(
      'such key',
      `The keys of this mock server are named ${world
        .listKeys()
        .map(({ name }) => name)
        .join(', ')}.`,
    );
  const unknown = patch.accountIds?.find((id) => organization.accountNumber(id.toLowerCase()) === undefined);
  if (unknown !== undefined) throw invalid(`accountIds contains an unknown account: ${unknown}.`);
  const accountIds = patch.accountIds?.map((id) => id.toLowerCase());
  const changed = { ...key, ...omitUndefined(patch), ...(accountIds && { accountIds }) };
  const next = createKey(organization, changed);
  world.keys.set(secret, next);
  world.recorder?.('key', organization.id, secret, next);
  announceEdit(world, organization, 'keys', { id: next.name, revision: '' });
  const { key: _key, accountScope: _scope, masked: _masked, ...shown } = next;
  return shown;
}
