import type { AuditEntry } from '../generated/public-types.ts';
import type { Tree } from '../records/tree.ts';
import type { DecidingWorld } from './cause.ts';

type Audit = Tree<number, AuditEntry>;

/** The entries of an audit log by what they made of a record. It grows with the log, which only gets longer. */
class AuditIndex {
  readonly #byRevision = new Map<string, AuditEntry>();
  readonly #deletions = new Map<string, AuditEntry>();
  #read = 0;

  update(audit: Audit): void {
    while (this.#read < audit.size) {
      const entry = audit.get(++this.#read);
      if (entry === undefined) continue;
      if (entry.revisionAfter !== null) this.#byRevision.set(entry.revisionAfter, entry);
      else if (entry.action === 'delete-configuration') this.#deletions.set(entry.recordId, entry);
    }
  }

  findChange = (revision: string): AuditEntry | undefined => this.#byRevision.get(revision);
  findDeletion = (recordId: string): AuditEntry | undefined => this.#deletions.get(recordId);
}

const indexes = new WeakMap<Audit, AuditIndex>();

type Audited = Pick<DecidingWorld, 'audit'>;

function indexOfAudit({ audit }: Audited): AuditIndex {
  const index = indexes.get(audit) ?? new AuditIndex();
  indexes.set(audit, index);
  index.update(audit);
  return index;
}

/** The change of the API that gave a record a revision; undefined if the audit log has none. */
export const findChange = (world: Audited, revision: string): AuditEntry | undefined =>
  indexOfAudit(world).findChange(revision);

/** The change of the API that deleted a record; undefined if the audit log has none. */
export const findDeletion = (world: Audited, recordId: string): AuditEntry | undefined =>
  indexOfAudit(world).findDeletion(recordId);
