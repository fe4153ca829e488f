/* What the command and the fleet use of this package besides its public exports. The published package has no such entry. */

export { getChatApi } from './client.ts';
export { dataShapes, labelFields, type Shape } from './generated/resources.ts';
export { countEntries } from './journal/count-entries.ts';
export { nextAttemptDelay } from './journal/next-attempt.ts';
export { createKeywordList, splitIntoRequests } from './keywords/keyword-list.ts';
export { maxListed } from './operations/list-options.ts';
export { endWaitsOnly } from './options/internal-options.ts';
export {
  type CreateOnceInput,
  createOnce,
  createOperationId,
  recordsSince,
} from './resources/create-once.ts';
export { createRowReader } from './resources/find.ts';
export { parseRetryAfter } from './retry/retry-delay.ts';
export { isSameData } from './shapes/contains-data.ts';
export { haveSameIds, toComparableId } from './shapes/ids.ts';
export {
  getDataLabel,
  groupByLabel,
  isSameLabel,
  toComparableLabel,
  withComparableLabel,
} from './shapes/labels.ts';
export { pickData } from './shapes/pick-data.ts';
export { requireRecordGuard } from './shapes/record-arguments.ts';
export { createResponseShapes } from './shapes/response-shapes.ts';
export { canonicalJson } from './write/operation-id.ts';
