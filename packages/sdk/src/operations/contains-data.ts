import { canonicalJson } from './operation-id.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Returns whether a record has the data that are given, as the server keeps them: text is trimmed. */
export function containsData(record: Fields, data: Fields): boolean {
  const kept = (value: unknown): string => canonicalJson(value ?? null, (text) => text.trim());
  return Object.entries(data).every(
    ([name, value]) => value === undefined || kept(record[name]) === kept(value),
  );
}
