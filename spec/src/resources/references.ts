import type { ConfigurationResource } from './names.ts';

/**
 * A reference from a record's data to another record: its path, with `*` for each item of an array, and its resource.
 */
export interface Reference {
  readonly path: readonly string[];
  readonly resource: 'accounts' | 'tags' | 'scenarios' | 'rich-menus';
}

const reference = (path: string, resource: Reference['resource']): Reference => ({
  path: path.split('.'),
  resource,
});

/** All references in the data of each resource (DECISIONS.md, D62). Images and placeholders are not references. */
export const references: Record<ConfigurationResource, readonly Reference[]> = {
  tags: [],
  templates: [],
  'auto-replies': [reference('accountId', 'accounts')],
  scenarios: [
    reference('accountId', 'accounts'),
    reference('triggerTagId', 'tags'),
    reference('steps.*.condition.tagId', 'tags'),
  ],
  forms: [
    reference('accountId', 'accounts'),
    reference('submitTagId', 'tags'),
    reference('submitScenarioId', 'scenarios'),
  ],
  'rich-menus': [reference('accountId', 'accounts'), reference('areas.*.action.menuId', 'rich-menus')],
  links: [reference('tagId', 'tags'), reference('scenarioId', 'scenarios')],
  routes: [
    reference('accountId', 'accounts'),
    reference('tagId', 'tags'),
    reference('scenarioId', 'scenarios'),
  ],
  broadcasts: [
    reference('accountId', 'accounts'),
    reference('accountIds.*', 'accounts'),
    reference('tagIds.*', 'tags'),
  ],
};

/** References of the data of friends, which are changed by actions of their own. */
export const friendReferences: readonly Reference[] = [reference('tagIds.*', 'tags')];

/** The resource whose ids each field has that is a reference, by the name of the field. */
export const referenceFields: ReadonlyMap<string, Reference['resource']> = new Map(
  [...Object.values(references).flat(), ...friendReferences].map(({ path, resource }) => [
    path.findLast((step) => step !== '*') ?? '',
    resource,
  ]),
);
