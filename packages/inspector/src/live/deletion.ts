import type { AuditEntry } from '../control-api/types.ts';
import { useControl } from './resource.ts';

/** The entry of the audit log that deleted a record, if there is one. */
export function useDeletion(id: string): AuditEntry | undefined {
  const { data } = useControl<{ readonly audit: readonly AuditEntry[] }>('audit', [
    'operation',
    'sandbox',
  ]).loaded;
  return data?.audit.findLast(({ recordId, revisionAfter }) => recordId === id && revisionAfter === null);
}
