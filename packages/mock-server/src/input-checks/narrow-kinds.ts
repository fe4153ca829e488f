import { type RequestKind, requestKinds } from '@orgchat/spec';

/** Why no request can match, and the field to change. */
export interface Unreachable {
  readonly path: string;
  readonly message: string;
}

/** The fields that select kinds of requests. */
export type KindCriteria = { readonly [N in 'operation' | 'action' | 'resource']?: string | undefined };

export const listAlternatives = (values: readonly (string | undefined)[]): string => {
  const different = [...new Set(values.filter((value) => value !== undefined))];
  return different.length === 1 ? `${different[0]}` : `one of ${different.join(', ')}`;
};

/** The values of a field with which some request would match. */
function suggestValues(name: keyof KindCriteria, kinds: readonly RequestKind[]): string {
  const matching = kinds.filter((target) => target[name] !== undefined);
  if (matching.length > 0) return `must be ${listAlternatives(matching.map((target) => target[name]))}`;
  const kindsWithField = requestKinds.filter((target) => target[name] !== undefined);
  return `can only be set if operation is ${listAlternatives(kindsWithField.map(({ operation }) => operation))}`;
}

/** The kinds that have all of the fields, or why there are none. `about` says what else restricts the kinds. */
export function narrowKinds(
  kinds: readonly RequestKind[],
  criteria: KindCriteria,
  about: readonly string[],
): { readonly kinds: readonly RequestKind[]; readonly unreachable?: Unreachable } {
  let left = kinds;
  const applied = [...about];
  for (const name of ['operation', 'action', 'resource'] as const) {
    const value = criteria[name];
    if (value === undefined) continue;
    const matching = left.filter((target) => target[name] === value);
    if (matching.length === 0) {
      const others = applied.length === 0 ? '' : ` and ${applied.join(', ')}`;
      const message = `${suggestValues(name, left)}: no request matches ${value}${others}`;
      return { kinds: [], unreachable: { path: name, message } };
    }
    left = matching;
    applied.push(`${name} ${value}`);
  }
  return { kinds: left };
}
