/* What the command uses of this package besides its public exports. No other package can import it. */

export { getChatApi } from './client.ts';
export { labelFields } from './generated/resources.ts';
export {
  type CreateOnceInput,
  createOnce,
  createOperationId,
  recordsSince,
} from './resources/create-once.ts';
export { createRowReader } from './resources/find.ts';
export { toComparableId } from './shapes/ids.ts';
export { pickData } from './shapes/pick-data.ts';
export { requireRecordGuard } from './shapes/record-arguments.ts';
export { createResponseShapes } from './shapes/response-shapes.ts';
