import type { AccountScope } from './collection.ts';
import type { Organization } from './organization.ts';

/** An API key and the rights of its creator; replaced, never mutated. */
export interface Key {
  readonly key: string;
  readonly name: string;
  readonly organizationId: string;
  readonly scope: 'read' | 'write';
  readonly revoked: boolean;
  /** The creator is suspended, or no longer a member. */
  readonly suspended: boolean;
  /** The creator may edit. */
  readonly editor: boolean;
  /** The accounts assigned to the creator; null for all of them. */
  readonly accountIds: readonly string[] | null;
  /** The masked key, for display. */
  readonly masked: string;
  /** The accounts as numbers; 0 stands for records of every account. */
  readonly accountScope: AccountScope;
}

/** A key as the control API returns it, with its text. */
export type KeyEntry = Omit<Key, 'accountScope' | 'masked'>;

export const toKeyEntry = ({ accountScope: _scope, masked: _masked, ...entry }: Key): KeyEntry => entry;

/** A key with its creator's accounts as numbers; 0 stands for records of every account. */
export function createKey(organization: Organization, given: Omit<Key, 'accountScope' | 'masked'>): Key {
  const key = { ...given, masked: maskKey(given.key) };
  const { accountIds } = key;
  if (accountIds === null) return { ...key, accountScope: undefined };
  const numbers = accountIds.map((id) => organization.accountNumber(id)).filter((n) => n !== undefined);
  return { ...key, accountScope: [...new Set([0, ...numbers])].sort((a, b) => a - b) };
}

/** Masks a key for display: enough to recognize it next to its name, too little to use it. */
export function maskKey(key: string): string {
  return key.length < 12 ? '***' : `${key.slice(0, 4)}***${key.slice(-2)}`;
}
