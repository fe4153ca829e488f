import type { ResourceShape, ServerDescription } from './server-description.ts';

/** How the answers about one resource are framed, with a value for everything that a description may say. */
export interface ResolvedShape {
  readonly list: {
    readonly records: string;
    readonly total: string | null;
    readonly limited: string | null;
    readonly order: 'newest' | 'oldest' | 'unknown';
  };
  readonly one: string;
  readonly record: {
    readonly revision: string;
    readonly label: string;
    readonly data: string;
    readonly rename: Readonly<Record<string, string>>;
  };
  readonly row: { readonly guards: boolean; readonly data: boolean };
}

const defaults: ResolvedShape = {
  list: { records: '/records', total: '/total', limited: '/limited', order: 'newest' },
  one: '/record',
  record: { revision: '/revision', label: '/label', data: '', rename: {} },
  row: { guards: true, data: true },
};

/** An object with what others say in its place; the last that says something wins. */
function override<T extends object>(base: T, ...others: readonly Readonly<Record<string, unknown>>[]): T {
  const said = others.flatMap((other) => Object.entries(other).filter(([, value]) => value !== undefined));
  return { ...base, ...Object.fromEntries(said) };
}

/** Creates what returns the shape of the answers about a resource. */
export function createShapeResolver(
  shapes: NonNullable<ServerDescription['shapes']>,
): (resource: string) => ResolvedShape {
  const byName: Readonly<Record<string, ResourceShape | undefined>> = { ...shapes.resources };
  const known = new Map<string, ResolvedShape>();
  const resolve = (resource: string): ResolvedShape => {
    const own = byName[resource] ?? {};
    return {
      list: override(defaults.list, { ...shapes.list }, { ...own.list }),
      one: own.one ?? shapes.one ?? defaults.one,
      record: {
        ...override(defaults.record, { ...shapes.record }, { ...own.record }),
        rename: override({}, { ...shapes.record?.rename }, { ...own.record?.rename }),
      },
      row: override(defaults.row, { ...shapes.row }, { ...own.row }),
    };
  };
  return (resource) => {
    const shape = known.get(resource) ?? resolve(resource);
    known.set(resource, shape);
    return shape;
  };
}
