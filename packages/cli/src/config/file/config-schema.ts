import {
  type ConfigurationResource,
  createDataSchema,
  dialect,
  type JsonSchema,
  labelFields,
  type ObjectSchema,
  references,
} from '@orgchat/spec';
import { isObject } from '@orgchat/spec/is-object';
import { patterns } from '@orgchat/spec/patterns';
import { singularNames, withArticle } from '@orgchat/spec/resources/names';
import { pluralName } from '../../resources/resource-names.ts';
import { configVersion } from './read-config.ts';
import { creationOrder, mapReferences, placeholder, type Target } from './references.ts';

type Definitions = Record<string, JsonSchema>;

/** By this id, an earlier schema of this command is recognized. */
export const configSchemaId = 'urn:orgchat:schema:config';

/** Creates the JSON Schema of a configuration file: it accepts what `config validate` accepts, names for ids included. */
export function createConfigSchema(): ObjectSchema {
  const $defs: Definitions = {};
  const lists = creationOrder.map((resource) => [resource, createListSchema(resource, $defs)] as const);
  const examples = creationOrder.map((resource) => [resource, [createExample(resource)]] as const);
  return {
    $schema: dialect,
    $id: configSchemaId,
    title: 'Configuration of an organization',
    description:
      'The messaging configuration of an organization, as "orgchat config export" writes it. References are names or ids.',
    type: 'object',
    properties: {
      $schema: { type: 'string', description: 'The schema of this file, for editors.' },
      version: { const: configVersion, description: 'The format of the file.' },
      ...Object.fromEntries(lists),
    },
    patternProperties: { '^x-': { description: 'Your own key, such as for anchors.' } },
    additionalProperties: false,
    examples: [{ version: configVersion, ...Object.fromEntries(examples) }],
    $defs,
  };
}

/** The records of a resource. All of them may be commented out. */
function createListSchema(resource: ConfigurationResource, $defs: Definitions): JsonSchema {
  const {
    $schema: _,
    $defs: own = {},
    examples: _examples,
    properties,
    ...schema
  } = createDataSchema(resource);
  for (const { path, resource: target } of references[resource])
    acceptNames({ ...schema, properties }, path, target, own);
  for (const part of [{ properties }, ...Object.values(own)]) acceptPlaceholders(part);
  Object.assign($defs, own);
  const id: JsonSchema = {
    type: 'string',
    pattern: patterns.uuid.source,
    description: `The id of the ${singularNames[resource]}. Without it, the record is matched by its label.`,
  };
  const items: JsonSchema = { ...schema, properties: { id, ...properties } };
  return {
    anyOf: [{ type: 'array', items }, { type: 'null' }],
    description: `The ${pluralName(resource)} of the organization.`,
  };
}

/** Makes the schema at the path of a reference accept a name in place of an id. */
function acceptNames(
  schema: JsonSchema | undefined,
  path: readonly string[],
  target: Target,
  $defs: Definitions,
): void {
  if (schema === undefined) return;
  const { $ref, anyOf = [], oneOf = [], properties = {} } = schema;
  if ($ref !== undefined) acceptNames($defs[$ref.replace('#/$defs/', '')], path, target, $defs);
  for (const variant of [...anyOf, ...oneOf]) acceptNames(variant as JsonSchema, path, target, $defs);
  const [key, ...rest] = path;
  if (key !== undefined) {
    const part = key === '*' ? schema.items : properties[key];
    acceptNames(part as JsonSchema | undefined, rest, target, $defs);
  } else if (schema.type === 'string') {
    schema.pattern = '\\S';
    schema.description = describe(schema, `Name or id of ${withArticle(singularNames[target])}.`);
    delete schema.examples;
  }
}

const describe = ({ description }: JsonSchema, more: string): string =>
  description === undefined ? more : `${description} ${more}`;

/** Makes every URL of a schema accept a link placeholder with a name. */
function acceptPlaceholders({ properties = {} }: JsonSchema): void {
  const { uri } = properties;
  if (!isObject(uri)) return;
  properties.uri = {
    anyOf: [uri, { type: 'string', pattern: placeholder.source }],
    description: describe(uri, 'In {link:…}, a link has its name or id.'),
  };
}

/** A record whose references are names. */
function createExample(resource: ConfigurationResource): unknown {
  const [data = {}] = createDataSchema(resource).examples;
  return mapReferences(resource, data, (target) =>
    target === 'accounts'
      ? 'Main account'
      : String(createDataSchema(target).examples[0]?.[labelFields[target]]),
  );
}
