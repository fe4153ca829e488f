/**
 * Finds how the value of a list flag can be read: as one name, as names between commas, or as both, because names may
 * contain commas. Each reading is a list of existing names. At most two are returned, which is enough to see that it is
 * ambiguous.
 */
export function findReadings(value: string, exists: (name: string) => boolean): string[][] {
  const parts = value.split(',');
  // The readings of the parts from an index on.
  const readings: string[][][] = Array.from({ length: parts.length }, () => []);
  readings.push([[]]);
  for (let start = parts.length - 1; start >= 0; start--) {
    const found = parts.slice(start).flatMap((_part, index) => {
      const end = start + index + 1;
      const name = parts.slice(start, end).join(',').trim();
      return exists(name) ? (readings[end] ?? []).map((rest) => [name, ...rest]) : [];
    });
    readings[start] = found.slice(0, 2);
  }
  return readings[0] ?? [];
}
