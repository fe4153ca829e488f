import microdiff from 'microdiff';
import type { Data } from '../resources/collect-data.ts';

/** Who changed a field since the file and the organization were last the same. */
export type Origin = 'file' | 'drift' | 'both' | 'unknown';

export interface FieldChange {
  /** `steps[0].text` */
  readonly path: string;
  /** As the organization has it; null where it has none. */
  readonly from: unknown;
  /** As the file wants it. */
  readonly to: unknown;
  readonly origin: Origin;
}

/** What is null and what is not there mean the same to the API; only one of them is compared. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutNulls(part)]));
}

const written = (path: readonly (string | number)[]): string =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  );

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return (
    path.reduce<unknown>(
      (part, key) => (part as Record<string | number, unknown> | null | undefined)?.[key],
      value,
    ) ?? null
  );
}

const same = (one: unknown, other: unknown): boolean =>
  microdiff({ value: one }, { value: other }).length === 0;

/** The fields in which the organization is not what the file wants; with a base, who changed each. */
export function compare(actual: Data, wanted: Data, base: Data | undefined): FieldChange[] {
  const [from, to, before] = [actual, wanted, base].map((data) => withoutNulls(data) as Data);
  return microdiff(from ?? {}, to ?? {}).map(({ path }) => {
    const [is, becomes] = [at(from, path), at(to, path)];
    return {
      path: written(path),
      from: is,
      to: becomes,
      origin: base === undefined ? 'unknown' : origin(at(before, path), is, becomes),
    };
  });
}

function origin(before: unknown, is: unknown, becomes: unknown): Origin {
  if (same(before, is)) return 'file';
  return same(before, becomes) ? 'drift' : 'both';
}
