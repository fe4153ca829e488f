import type * as z from 'zod';
import {
  accountResponse,
  configurationData,
  configurationResources,
  idFields,
  labelFields,
  readableResources,
  records,
  studioDocument,
  studioDocumentSummary,
  studioProject,
} from '../src/index.ts';
import { friendData } from '../src/resources/data.ts';

/** The JSON types of a value, as the SDK checks and copies it. Limits are for the server to check. */
interface Shape {
  readonly type?: string;
  readonly optional?: true;
  readonly nullable?: true;
  readonly item?: Shape;
  readonly fields?: Readonly<Record<string, Shape>>;
  readonly variants?: Readonly<Record<string, Shape>>;
}

type Definition = z.core.$ZodTypeDef & {
  readonly innerType: z.core.$ZodType;
  readonly element: z.core.$ZodType;
  readonly shape: Readonly<Record<string, z.core.$ZodType>>;
  readonly options: readonly z.core.$ZodType[];
  readonly values: readonly unknown[];
};

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  enum: 'string',
  literal: 'string',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const mapValues = <A, B>(given: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, map(value)]));

function toShape(schema: z.core.$ZodType): Shape {
  // The definitions of zod are a union whose members differ by `type`.
  const def = schema._zod.def as Definition;
  switch (def.type) {
    case 'optional':
      return { ...toShape(def.innerType), optional: true };
    case 'nullable':
      return { ...toShape(def.innerType), nullable: true };
    case 'array':
      return { item: toShape(def.element) };
    case 'object':
      return { fields: mapValues(def.shape, toShape) };
    case 'union':
      return {
        variants: Object.fromEntries(def.options.map((option) => [getType(option), toShape(option)])),
      };
    default: {
      const type = scalars[def.type];
      if (type === undefined) throw new Error(`The SDK has no shape for ${def.type}.`);
      return { type };
    }
  }
}

/** The value of `type` that selects a variant. */
function getType(option: z.core.$ZodType): string {
  const { type } = (option._zod.def as Definition).shape;
  if (type === undefined) throw new Error('A variant has no field "type".');
  return String((type._zod.def as Definition).values[0]);
}

const identities: Readonly<Record<string, readonly string[]>> = {
  friends: ['accountId', 'userId'],
  conversations: ['accountId', 'userId'],
};

/** What the SDK needs to know at run time of resources and of the answers that the contract shows. */
export function sdkResources(): string {
  const data = { ...configurationData, friends: friendData };
  const dataShapes = mapValues(data, toShape);
  const { notes, status, tagIds } = records.friends.shape;
  const answers = {
    account: accountResponse,
    project: studioProject,
    summary: studioDocumentSummary,
    document: studioDocument,
  };
  const constant = (text: string, name: string, value: unknown, type = ''): string =>
    `/** ${text} */\nexport const ${name}${type} = ${JSON.stringify(value, null, 2)}${type === '' ? ' as const' : ''};`;
  return [
    constant('The configuration resources.', 'configurationResources', configurationResources),
    constant('The resources that can be read.', 'readableResources', readableResources),
    constant('The data field of each configuration resource that is its label.', 'labelFields', labelFields),
    constant(
      'The fields that identify a record, where it is not `id` alone.',
      'identityFields',
      identities,
      ': Readonly<Record<string, readonly string[] | undefined>>',
    ),
    constant(
      'The fields that hold an id, alone or in a list.',
      'idFields',
      [...idFields],
      ': readonly string[]',
    ),
    `/** The JSON types of a value. \`variants\` are by the value of its field \`type\`. */
export interface Shape {
  readonly type?: string;
  readonly optional?: true;
  readonly nullable?: true;
  readonly item?: Shape;
  readonly fields?: Readonly<Record<string, Shape>>;
  readonly variants?: Readonly<Record<string, Shape>>;
}`,
    `/** The resources that can be changed. */
export type ChangeableResource = (typeof configurationResources)[number] | 'friends';`,
    constant(
      'The data of each resource that can be changed: what an update sends of a record, in this order.',
      'dataShapes',
      dataShapes,
      ': Readonly<Record<ChangeableResource, Shape>>',
    ),
    constant(
      'The data of a friend as it is read: what its changes write.',
      'friendShape',
      toShapeOf({ notes, status, tagIds }),
      ': Shape',
    ),
    constant(
      'The answers that the contract shows.',
      'answerShapes',
      mapValues(answers, toShape),
      ": Readonly<Record<'account' | 'project' | 'summary' | 'document', Shape>>",
    ),
    '',
  ].join('\n');
}

const toShapeOf = (shape: Readonly<Record<string, z.core.$ZodType>>): Shape => ({
  fields: mapValues(shape, toShape),
});
