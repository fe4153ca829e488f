import type { Json, Resource } from '../../models/reference-model/resources.ts';
import type { Random } from '../../test-support/random.ts';
import type { ApiRequest } from './connection.ts';
import type { FriendName, Inventory } from './inventory.ts';

/** A record that a client made, as it knows it. */
export interface Own {
  readonly resource: Resource;
  readonly id: string;
  readonly revision: string;
  readonly label: string;
}

/** A change that was applied: what was sent, and the result that was answered. */
export interface AppliedChange {
  readonly body: Json;
  readonly result: string;
}

/** What a client knows of the world it is in. */
export interface ClientState {
  readonly number: number;
  readonly inventory: Inventory;
  readonly random: Random;
  /** Number of changes it has created. */
  intended: number;
  own: Own[];
  /** Deleted records. */
  gone: Own[];
  applied: AppliedChange[];
  /** The friend last read. */
  friend: (FriendName & { readonly revision: string; readonly label: string }) | undefined;
  /** Cursor of the next page of documents. */
  cursor: { readonly projectId: string; readonly cursor: string } | undefined;
}

/** One request of a client and its expected answers. */
export interface Step {
  readonly kind: string;
  readonly request: ApiRequest;
  /** Correct answers without interference: status and error code. */
  readonly expected: readonly string[];
  /** Operation ID of a change, which may be resent until its outcome is known. */
  readonly operationId?: string;
  /** Records a success. Returns what is wrong with it. `fresh`: the request was sent once. */
  readonly learn?: (body: Json, fresh: boolean) => string | undefined;
  /** Called if the outcome stays unknown or another client was faster. */
  readonly forget?: () => void;
}
