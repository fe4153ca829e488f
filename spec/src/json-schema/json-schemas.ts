import type * as z from 'zod';
import { type ChatAction, chatChange } from '../endpoints/chat-changes.ts';
import { isObject } from '../is-object.ts';
import { getChangedResource } from '../request-kinds.ts';
import { configurationData } from '../resources/configurations.ts';
import { friendData } from '../resources/data.ts';
import { configurationResources } from '../resources/names.ts';
import { type ChangeableResource, getLabelField } from '../server/record-fields.ts';

/** A JSON Schema of the draft 2020-12. Nothing else refers to it, so it may be changed. */
export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** A whole schema: of an object, with an example. */
export interface ObjectSchema extends JsonSchema {
  type: 'object';
  description: string;
  properties: Record<string, JsonSchema>;
  examples: Record<string, unknown>[];
}

export const dialect = 'https://json-schema.org/draft/2020-12/schema';

export const changeActions: readonly ChatAction[] = chatChange.options.map(({ shape }) => shape.action.value);

const dataSchemas = { ...configurationData, friends: friendData };

/**
 * Creates the schema of a resource's `data` (sections 5.1 to 5.10). It accepts what the contract accepts, but for texts that
 * are too long only until they are trimmed.
 */
export function createDataSchema(resource: ChangeableResource): ObjectSchema {
  return toJsonSchema(dataSchemas[resource]);
}

/** Creates the schema of a change without its operation id (section 4.4). */
export function createChangeSchema(action: ChatAction): ObjectSchema {
  const variant = chatChange.options.find(({ shape }) => shape.action.value === action);
  if (variant === undefined) throw new Error(`Unknown action ${action}.`);
  const schema = toJsonSchema(variant);
  return { ...schema, examples: [createChangeExample(action, schema)] };
}

/** Converts a schema of the contract. Definitions keep the names that they have in the OpenAPI document. */
function toJsonSchema(schema: z.ZodType): ObjectSchema {
  const { $ref = '', $defs = {} } = schema.toJSONSchema({ io: 'input', override: useKnownKeywords });
  const name = $ref.replace('#/$defs/', '');
  const { [name]: root, ...others } = $defs;
  const hasOthers = Object.keys(others).length > 0;
  return { $schema: dialect, ...root, ...(hasOthers && { $defs: others }) } as ObjectSchema;
}

/** Leaves out what strict validators refuse. */
function useKnownKeywords({ jsonSchema }: { readonly jsonSchema: JsonSchema }): void {
  // What zod-openapi is to write in place of what zod writes.
  if (isObject(jsonSchema.override)) Object.assign(jsonSchema, jsonSchema.override);
  delete jsonSchema.override;
  // The pattern beside it says the same.
  delete jsonSchema.format;
}

function createChangeExample(
  action: ChatAction,
  { properties, $defs }: ObjectSchema,
): Record<string, unknown> {
  const fields = Object.entries(properties).map(([name, field]) => [name, findExample(field, $defs)]);
  const example = Object.fromEntries(fields) as Record<string, unknown>;
  if (!('expectedLabel' in example)) return example;
  return {
    ...example,
    expectedLabel: findExampleLabel(getChangedResource(action, String(example.resource))),
  };
}

/** A value of a field of a change. */
function findExample(field: JsonSchema, $defs: ObjectSchema['$defs'] = {}): unknown {
  const { $ref, examples, const: only, enum: values, items } = field;
  if ($ref !== undefined) return findExample($defs[$ref.replace('#/$defs/', '')] ?? {}, $defs);
  if (isObject(items)) return [findExample(items, $defs)];
  return examples?.[0] ?? only ?? values?.[0];
}

/** The label of the record in the example of a resource's data; of a friend the display name. */
function findExampleLabel(resource: string | undefined): unknown {
  const known = configurationResources.find((one) => one === resource);
  return known === undefined ? 'Emi Sato' : createDataSchema(known).examples[0]?.[getLabelField(known)];
}
