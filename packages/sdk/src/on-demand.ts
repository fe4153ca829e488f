/*
 * What most programs never call. It is loaded as one file when one of these is first used, so that importing the package
 * stays small and quick.
 */

export { runBulk } from './bulk/bulk.ts';
export { createJournalError } from './errors/journal-error.ts';
export { explainUnknownCode } from './errors/unrecognized-code.ts';
export { importKeywords } from './keywords/import-keywords.ts';
export { readPages, readRecords } from './lists/list-pages.ts';
export { createDrainingError } from './operations/drain.ts';
export { createOperationsMethods } from './operations/operations-methods.ts';
export { renewHold } from './operations/renew-hold.ts';
export { waitForSharedPacing } from './pacing/wait-for-shared-pacing.ts';
export { addSeoKeywords } from './pipeline/keyword-writes.ts';
export { createEnvironmentLogger, logEvent } from './pipeline/log-events.ts';
export { readStaleVersions } from './pipeline/stale-evidence.ts';
export { requireChange, runEdit } from './resources/edit.ts';
export { findRecord } from './resources/find.ts';
export { editFriendTags } from './resources/friend-tags.ts';
export { pickData } from './resources/pick-data.ts';
export { upsertRecord } from './resources/upsert.ts';
