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
