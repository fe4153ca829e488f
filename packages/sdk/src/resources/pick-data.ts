import { dataFields } from '../generated/resources.ts';

/**
 * Returns the data of a record: its data fields in the order of the contract, without identity, guards and times. The CLI
 * bundles this module.
 */
export function pickData<Data>(resource: keyof typeof dataFields, record: object): Data {
  const values = record as Readonly<Record<string, unknown>>;
  const given = dataFields[resource].filter((name) => values[name] !== undefined);
  // The generated list and the generated type of the same resource name the same fields.
  return Object.fromEntries(given.map((name) => [name, values[name]])) as Data;
}
