import type { Keyword } from '../store/keywords.ts';
import type { World } from '../world.ts';
import { notFound } from './input.ts';

/** The change operations of the main organization as they are shown: the stored answer instead of the input. */
export const operationsOf = ({ mainOrganization }: World): unknown[] =>
  mainOrganization.operations().map(({ answer, input: _, ...shown }) => ({
    ...shown,
    auditRecorded: answer?.auditRecorded ?? null,
    result: answer === undefined ? null : JSON.parse(answer.result),
  }));

/** The keywords of a site of the main organization. */
export function keywordsOf({ mainOrganization: { sites, stored } }: World, siteId: string): Keyword[] {
  if (!sites.has(siteId)) throw notFound(`site ${siteId}`);
  return stored.keywords.list(siteId);
}
