import type { Json, Resource } from '../model/resources.ts';
import type { Draw } from '../support/chance.ts';
import type { ApiRequest } from './connection.ts';
import type { FriendName, Inventory } from './inventory.ts';

/** A record that a visitor made, as it knows it. */
export interface Own {
  readonly resource: Resource;
  readonly id: string;
  readonly revision: string;
  readonly label: string;
}

/** A change that was applied: what was sent, and the result that was answered. */
export interface Applied {
  readonly body: Json;
  readonly result: string;
}

/** What a visitor knows of the world it is in. */
export interface Memory {
  readonly number: number;
  readonly inventory: Inventory;
  readonly draw: Draw;
  /** How many changes it made up. */
  intended: number;
  own: Own[];
  /** Records that are gone. */
  gone: Own[];
  applied: Applied[];
  /** A friend as it was last read. */
  friend: (FriendName & { readonly revision: string; readonly label: string }) | undefined;
  /** Where a list of documents goes on. */
  cursor: { readonly projectId: string; readonly cursor: string } | undefined;
}

/** One request of a visitor, and what is known of its answer beforehand. */
export interface Step {
  readonly kind: string;
  readonly request: ApiRequest;
  /** The answers that are right where nothing interferes: a status, with the code of an error. */
  readonly expected: readonly string[];
  /** Of a change: it may be sent again until its outcome is known. */
  readonly operationId?: string;
  /** Takes in a success; says what is wrong with it, where anything is. `fresh`: it was sent once. */
  readonly learn?: (body: Json, fresh: boolean) => string | undefined;
  /** The outcome stayed unknown, or another had been quicker. */
  readonly forget?: () => void;
}
