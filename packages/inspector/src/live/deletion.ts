import { useEffect } from 'preact/hooks';
import type { AuditEntry } from '../control-api/types.ts';
import { shareControl } from './resource.ts';

const log = shareControl<{ readonly audit: readonly AuditEntry[] }>('audit', ['operation', 'sandbox']);

/** The entry of the audit log that deleted a record, if there is one. */
export function useDeletion(id: string): AuditEntry | undefined {
  useEffect(log.follow, []);
  return log.loaded.value.data?.audit.findLast(
    ({ recordId, revisionAfter }) => recordId === id && revisionAfter === null,
  );
}
