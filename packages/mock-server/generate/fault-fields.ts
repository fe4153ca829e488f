import * as z from 'zod';
import { faultInput } from '../src/faults/schema.ts';

interface JsonSchema {
  readonly const?: unknown;
  readonly type?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

type FieldType = 'text' | 'number' | 'boolean' | 'resolution' | 'range' | 'count' | 'json';

/** How a field is written in `name=value`. A field that takes a text or a number takes any text. */
function getFieldType({ type, anyOf = [] }: JsonSchema): FieldType {
  if (anyOf.some((option) => option.properties?.min !== undefined)) return 'range';
  if (anyOf.some((option) => option.type === 'object')) return 'resolution';
  if (anyOf.some((option) => option.const === 'always')) return 'count';
  if (type === 'object') return 'json';
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' ? 'boolean' : 'text';
}

interface Effect {
  readonly about: string;
  /** The fields that only some effects have. */
  readonly fields: readonly string[];
}

/** The effects of faults and the fields beside them, as data: the command line needs no schema to parse them. */
export function faultFields(): string {
  const effects = faultInput().options.map((option) => {
    const schema = z.toJSONSchema(z.object(option.shape), {
      io: 'input',
      unrepresentable: 'any',
      reused: 'inline',
    }) as JsonSchema;
    const { effect: _, ...fields } = schema.properties ?? {};
    return { name: option.shape.effect.value, about: option.meta()?.description ?? '', fields };
  });
  const isCommon = (field: string): boolean => effects.every(({ fields }) => field in fields);
  const types: Record<string, FieldType> = {};
  const byName: Record<string, Effect> = {};
  for (const { name, about, fields } of effects) {
    byName[name] = { about, fields: Object.keys(fields).filter((field) => !isCommon(field)) };
    for (const [field, schema] of Object.entries(fields)) types[field] ??= getFieldType(schema);
  }
  return [
    '/** What each fault does, and the fields that only some faults have. */',
    `export const faultEffects = ${JSON.stringify(byName, null, 2)} as const;`,
    '',
    '/** The fields of a fault beside its effect, and how each is written. */',
    `export const faultFields = ${JSON.stringify(types, null, 2)} as const;`,
    '',
  ].join('\n');
}
