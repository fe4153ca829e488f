import * as z from 'zod';
import { faultInput } from '../src/faults/schema.ts';

interface JsonSchema {
  readonly const?: unknown;
  readonly type?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

type FieldType = 'text' | 'number' | 'boolean' | 'resolution' | 'range' | 'count';

/** How a field is written in `name=value`. A field that takes a text or a number takes any text. */
function getFieldType({ type, anyOf = [] }: JsonSchema): FieldType {
  if (anyOf.some((option) => option.properties?.min !== undefined)) return 'range';
  if (anyOf.some((option) => option.type === 'object')) return 'resolution';
  if (anyOf.some((option) => option.const === 'always')) return 'count';
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' ? 'boolean' : 'text';
}

/** The effects of faults and the fields beside them, as data: the command line needs no schema to parse them. */
export function faultFields(): string {
  const effects = faultInput().options.map(({ shape }) => shape.effect.value);
  const fields: Record<string, FieldType> = {};
  for (const { shape } of faultInput().options) {
    const schema = z.toJSONSchema(z.object(shape), { io: 'input', unrepresentable: 'any', reused: 'inline' });
    for (const [name, field] of Object.entries((schema as JsonSchema).properties ?? {})) {
      if (name !== 'effect') fields[name] ??= getFieldType(field);
    }
  }
  return [
    '/** What a fault can do. */',
    `export const faultEffects = ${JSON.stringify(effects)} as const;`,
    '',
    '/** The fields of a fault beside its effect, and how each is written. */',
    `export const faultFields = ${JSON.stringify(fields, null, 2)} as const;`,
    '',
  ].join('\n');
}
