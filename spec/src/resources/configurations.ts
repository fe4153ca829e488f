import { autoReplyData, broadcastData, linkData, routeData, tagData, templateData } from './data.ts';
import { formData } from './form.ts';
import type { ConfigurationResource } from './names.ts';
import { richMenuData } from './rich-menu.ts';
import { scenarioData } from './scenario.ts';

/** The shape of `data` for each configuration resource (SPECIFICATION.md, sections 5.1 to 5.9). */
export const configurationData = {
  tags: tagData,
  templates: templateData,
  'auto-replies': autoReplyData,
  scenarios: scenarioData,
  forms: formData,
  'rich-menus': richMenuData,
  links: linkData,
  routes: routeData,
  broadcasts: broadcastData,
} as const satisfies Record<ConfigurationResource, unknown>;

/** The data field that is a record's label (DECISIONS.md, D54). */
export const labelFields = {
  tags: 'name',
  templates: 'name',
  'auto-replies': 'keyword',
  scenarios: 'name',
  forms: 'name',
  'rich-menus': 'name',
  links: 'name',
  routes: 'name',
  broadcasts: 'title',
} as const satisfies Record<ConfigurationResource, string>;

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
