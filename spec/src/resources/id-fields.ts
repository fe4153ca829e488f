/**
 * Fields of records and seeds that hold a UUID, alone or in an array. Only organizations and sites have an `id` that is
 * not a UUID.
 */
export const idFields: ReadonlySet<string> = new Set([
  'id',
  'accountId',
  'accountIds',
  'tagId',
  'tagIds',
  'triggerTagId',
  'submitTagId',
  'scenarioId',
  'submitScenarioId',
  'menuId',
  'imageId',
  'missingIds',
]);
