import { type ChangeableResource, dataShapes } from '../generated/resources.ts';
import { createRecordProblem } from './shape-errors.ts';
import { pickShape } from './shape-values.ts';

/**
 * Returns the data of a record as an update sends them: its data fields in the order of the contract, at every depth,
 * without identity, guards, times and fields that only this server adds. Throws `UNEXPECTED_SHAPE` with the path of a
 * value that the contract does not have: dropping it would lose what a member made.
 */
export function pickData<Data>(resource: ChangeableResource, record: object): Data {
  return pickShape(dataShapes[resource], record, (problem) => {
    throw createRecordProblem(resource, record, problem);
    // The generated shape and the generated type of the same resource are the same.
  }) as Data;
}
