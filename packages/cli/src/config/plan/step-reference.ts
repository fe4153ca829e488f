/** A reference to the record that a step will create, in place of its id. */
export const toStepReference = (key: string): string => `step:${key}`;

/** The step that makes it; undefined for anything else. */
export const parseStepReference = (value: string): string | undefined =>
  value.startsWith('step:') ? value.slice('step:'.length) : undefined;
