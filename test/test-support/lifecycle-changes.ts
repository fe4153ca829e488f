import type { ChatChange } from '@orgchat/sdk';
import { type ConfigurationResource, configurationResources, deletableResources } from '@orgchat/spec';
import { document } from '../../spec/test-support/document.ts';

type Json = Record<string, unknown>;

/** The component that describes the data of each configuration resource. */
const dataComponents: Record<ConfigurationResource, string> = {
  tags: 'TagData',
  templates: 'TemplateData',
  'auto-replies': 'AutoReplyData',
  scenarios: 'ScenarioData',
  forms: 'FormDefinitionData',
  'rich-menus': 'RichMenuData',
  links: 'LinkData',
  routes: 'RouteData',
  broadcasts: 'BroadcastData',
};

/** The OpenAPI document's example data of a resource, with an account that exists. */
export function exampleData(resource: ConfigurationResource, accountId: string): Json {
  const component = dataComponents[resource];
  const example = document.components.schemas[component]?.examples?.[0] as Json | undefined;
  if (example === undefined) throw new Error(`${component} has no example`);
  return typeof example.accountId === 'string' ? { ...example, accountId } : example;
}

export interface Guarded {
  readonly id: string;
  readonly revision: string;
  readonly label: string;
}

/** The guard of a record, from the result of a change. */
export function createGuard(result: unknown): Guarded {
  const { id, revision, label } = result as Partial<Guarded>;
  if (id === undefined || revision === undefined || label === undefined)
    throw new Error('The result is no record');
  return { id, revision, label };
}

/** The changes of one resource, in order: create, update, and delete if the API supports it. */
export const lifecycle = {
  create: (resource: ConfigurationResource, accountId: string) =>
    ({ action: `create-${resource}`, data: exampleData(resource, accountId) }) as object as ChatChange,
  update: (resource: ConfigurationResource, accountId: string, record: Guarded) =>
    ({
      action: `update-${resource}`,
      id: record.id,
      expectedRevision: record.revision,
      expectedLabel: record.label,
      data: exampleData(resource, accountId),
    }) as object as ChatChange,
  remove: (resource: ConfigurationResource, record: Guarded) =>
    deletableResources.some((deletable) => deletable === resource)
      ? ({
          action: 'delete-configuration',
          resource,
          id: record.id,
          expectedRevision: record.revision,
          expectedLabel: record.label,
        } as ChatChange)
      : undefined,
};

export { configurationResources };
