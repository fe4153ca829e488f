import type { ConfigurationResource, ReadableResource } from '@orgchat/spec';
import { configurationResources, singularNames } from '@orgchat/spec/resources/names';

export const isConfigurationResource = (name: string): name is ConfigurationResource =>
  configurationResources.some((known) => known === name);

/** The plural noun of a resource: `rich-menus` → `rich menus`. */
export const pluralName = (resource: ReadableResource): string =>
  singularNames[resource].includes(' ') ? resource.replaceAll('-', ' ') : resource;

/** A number of records: `1 tag`, `2 rich menus`. */
export const formatCount = (count: number, resource: ReadableResource): string =>
  `${count} ${count === 1 ? singularNames[resource] : pluralName(resource)}`;
