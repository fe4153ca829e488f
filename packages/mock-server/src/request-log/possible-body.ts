import { isObject, similarWord } from '@orgchat/spec';
import * as z from 'zod';
import type { Unreachable } from '../input-checks/narrow-kinds.ts';

/* Whether a valid body can have a part: some of its fields, with values. */

type Schema = z.core.$ZodType;

/** The variants of a schema: what a union chooses from, without optional and null. */
function listVariants(schema: Schema): readonly Schema[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return listVariants(schema.unwrap());
  if (schema instanceof z.ZodNullable) return [...listVariants(schema.unwrap()), z.null()];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(listVariants);
  return [schema];
}

/** Why no valid body has a part; undefined if one can. `schemas` are those of the bodies. */
export function explainImpossible(
  schemas: readonly Schema[],
  part: unknown,
  path = 'body',
): Unreachable | undefined {
  const variants = schemas.flatMap(listVariants);
  if (isObject(part))
    return explainObject(
      variants.filter((one) => one instanceof z.ZodObject),
      part,
      path,
    );
  if (Array.isArray(part)) {
    const items = variants.flatMap((one) => (one instanceof z.ZodArray ? [one.element] : []));
    if (items.length === 0) return { path, message: 'is not a list in any valid body' };
    for (const [i, item] of part.entries()) {
      const problem = explainImpossible(items, item, `${path}[${i}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  if (variants.some((one) => z.safeParse(one, part).success)) return undefined;
  return { path, message: `is ${JSON.stringify(part)} in no valid body` };
}

function explainObject(
  variants: readonly z.ZodObject[],
  part: Readonly<Record<string, unknown>>,
  path: string,
): Unreachable | undefined {
  if (variants.length === 0) return { path, message: 'is not an object in any valid body' };
  const names = Object.keys(part);
  const countKnown = ({ shape }: z.ZodObject): number =>
    names.filter((name) => Object.hasOwn(shape, name)).length;
  let nearest: Unreachable | undefined;
  // The variant that has most of the fields was probably meant.
  for (const variant of variants.toSorted((one, other) => countKnown(other) - countKnown(one))) {
    const problem = explainFields(variant, variants, part, path);
    if (problem === undefined) return undefined;
    if (nearest === undefined || problem.path.length > nearest.path.length) nearest = problem;
  }
  return nearest;
}

/** Why a variant cannot have the fields; a variant that ignores unknown fields has only those that no other one has. */
function explainFields(
  variant: z.ZodObject,
  variants: readonly z.ZodObject[],
  part: Readonly<Record<string, unknown>>,
  path: string,
): Unreachable | undefined {
  const isStrict = variant.def.catchall instanceof z.ZodNever;
  for (const [name, value] of Object.entries(part)) {
    if (value === undefined) continue;
    const field = Object.hasOwn(variant.shape, name) ? variant.shape[name] : undefined;
    if (field !== undefined) {
      const problem = explainImpossible([field], value, `${path}.${name}`);
      if (problem !== undefined) return problem;
    } else if (isStrict || variants.some(({ shape }) => Object.hasOwn(shape, name))) {
      const known = variants.flatMap(({ shape }) => Object.keys(shape));
      const meant = similarWord(name, known);
      const suggestion = meant === undefined ? '' : ` (did you mean ${meant}?)`;
      return { path: `${path}.${name}`, message: `is in no valid body${suggestion}` };
    }
  }
  return undefined;
}
