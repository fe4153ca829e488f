/** The fields that say when a record was made. */
const timeFields = ['createdAt', 'enrolledAt', 'sentAt', 'submittedAt', 'clickedAt'];

/** When a record was made, in milliseconds; NaN if it does not say. */
export function getCreationTime(record: object): number {
  const fields = record as Readonly<Record<string, unknown>>;
  const name = timeFields.find((field) => fields[field] !== undefined);
  return name === undefined ? Number.NaN : Date.parse(`${fields[name]}`);
}

/** Returns whether the records of a page show that the newest comes first. One record alone, or equal times, show nothing. */
export function timesDescend(records: readonly object[]): boolean {
  const times = records.map(getCreationTime);
  const [first = Number.NaN] = times;
  return (
    times.every((time, index) => index === 0 || time <= (times[index - 1] ?? first)) &&
    first > (times.at(-1) ?? first)
  );
}
