/**
 * Finds how the value of a list flag can be read: as one name, as names between commas, or as both, because names may
 * contain commas. Each reading is a list of existing names. At most two are returned, which is enough to see that it is
 * ambiguous. Names have at most `longest` characters.
 */
export function findReadings(
  value: string,
  exists: (name: string) => boolean,
  longest = Infinity,
): string[][] {
  const parts = value.split(',');
  // The readings of the parts from an index on. They share their ends, so that a long list takes no long time.
  const readings: Reading[][] = Array.from({ length: parts.length }, () => []);
  readings.push([undefined]);
  for (let start = parts.length - 1; start >= 0; start--) {
    const found: Reading[] = [];
    let joined = '';
    for (let end = start + 1; end <= parts.length && joined.trim().length <= longest; end++) {
      joined += `${end === start + 1 ? '' : ','}${parts[end - 1]}`;
      const name = joined.trim();
      if (exists(name)) found.push(...(readings[end] ?? []).map((rest) => ({ name, rest })));
    }
    readings[start] = found.slice(0, 2);
  }
  return (readings[0] ?? []).map(toNames);
}

/** A name and the names after it; undefined at the end. */
type Reading = { readonly name: string; readonly rest: Reading } | undefined;

function toNames(reading: Reading): string[] {
  const names: string[] = [];
  for (let at = reading; at !== undefined; at = at.rest) names.push(at.name);
  return names;
}
