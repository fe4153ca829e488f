import { notFound } from '../control-input/control-error.ts';
import { findOrganization } from '../control-input/find-organization.ts';
import type { Key } from '../records/key.ts';
import type { Keyword } from '../records/keywords.ts';
import { demoKeys } from '../seed/demo.ts';
import type { World } from '../world/world.ts';

/** The change operations of an organization, with the stored answer instead of the input. */
export const listOperations = (world: World, query: unknown): unknown[] =>
  findOrganization(world, query)
    .operations()
    .map(({ answer, input: _, ...shown }) => ({
      ...shown,
      auditRecorded: answer?.auditRecorded ?? null,
      result: answer === undefined ? null : JSON.parse(answer.result),
    }));

/** The keywords of a site of an organization. */
export function listKeywords(world: World, siteId: string, query: unknown): Keyword[] {
  const { sites, stored } = findOrganization(world, query);
  if (!sites.has(siteId)) throw notFound(`site ${siteId}`, `Sites: ${[...sites.keys()].join(', ')}.`);
  return stored.keywords.list(siteId);
}

/** A key that may write: the demo write key if possible, otherwise the first such key of the seed. */
export function findWriteKey(world: World): string | undefined {
  const usable = [...world.keys.values()].filter((key) => mayWrite(world, key)).map(({ key }) => key);
  return usable.find((key) => key === demoKeys.write) ?? usable[0];
}

function mayWrite(world: World, { organizationId, scope, revoked, suspended, editor }: Key): boolean {
  const settings = world.organizations.get(organizationId)?.settings;
  if (settings === undefined || settings.deleted || !world.plans.get(settings.plan)?.apiAccess) return false;
  return scope === 'write' && editor && !revoked && !suspended;
}
