import type { Row } from '../output/output.ts';

/** What a change came to, and the record that it left. */
export type ChangeDocument = Row & { readonly result?: unknown };

/** The document of a change that was not applied. */
export const createNotApplied = (outcome: string, facts: Row = {}): ChangeDocument => ({
  outcome,
  operationId: null,
  applied: false,
  replayed: false,
  ...facts,
});

/** The document of a change that was not sent, because the record is already as requested. */
export const createUnchanged = (result: Row): ChangeDocument => createNotApplied('unchanged', { result });

/** Puts the fields of the record beside those of the change, so that --fields can name both. */
export const flattenChange = ({ result, ...facts }: ChangeDocument): Row => ({ ...Object(result), ...facts });
