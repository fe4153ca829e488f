import { isObject } from '@orgchat/spec';
import * as z from 'zod';

/** The fields that a schema accepts at a path of a value; undefined if that depends on more than the schema. */
export function listAcceptedFields(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[] = [],
): string[] | undefined {
  const [name, ...rest] = path;
  const entries = findEntrySchema(schema);
  if (entries !== undefined) {
    return name === undefined ? undefined : listAcceptedFields(entries, getEntry(value, name), rest);
  }
  const object = findObject(schema, value);
  if (object === undefined) return undefined;
  if (name === undefined) return Object.keys(object.shape);
  const field = object.shape[String(name)];
  return field === undefined ? undefined : listAcceptedFields(field, getEntry(value, name), rest);
}

const getEntry = (value: unknown, name: PropertyKey): unknown =>
  isObject(value) || Array.isArray(value) ? (value as Record<PropertyKey, unknown>)[name] : undefined;

type Wrapper = z.ZodOptional | z.ZodDefault | z.ZodNullable;

const isWrapper = (schema: z.core.$ZodType): schema is Wrapper =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable;

/** The schema of what an array or a record holds. */
function findEntrySchema(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (isWrapper(schema)) return findEntrySchema(schema.unwrap());
  if (schema instanceof z.ZodArray) return schema.element;
  return schema instanceof z.ZodRecord ? schema.valueType : undefined;
}

/** The schema of the object that a value should be: of several variants, the one that its fields select. */
function findObject(schema: z.core.$ZodType, value: unknown): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  if (isWrapper(schema)) return findObject(schema.unwrap(), value);
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = schema.def;
    const selected = isObject(value) ? value[discriminator] : undefined;
    return schema.options
      .map((option) => findObject(option, value))
      .find((option) => option?.shape[discriminator]?.safeParse(selected).success);
  }
  if (!(schema instanceof z.ZodUnion)) return undefined;
  const objects = schema.options
    .map((option) => findObject(option, value))
    .filter((one) => one !== undefined);
  return objects.length === 1 ? objects[0] : undefined;
}
