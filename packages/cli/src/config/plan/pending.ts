/** Stands where the id of a record will stand that is yet to be made. */
export const pending = (key: string): string => `step:${key}`;

/** The step that makes it; undefined for anything else. */
export const pendingKey = (value: string): string | undefined =>
  value.startsWith('step:') ? value.slice('step:'.length) : undefined;
