import type { Journal, MaybePromise } from '../../src/journal/journal.ts';
import type { SynchronousJournal } from './flawed-journal.ts';

/** What is between a journal and its store. */
export interface Network {
  isCut: boolean;
  /** Whether the reply to the next call is lost. */
  isReplyLost: boolean;
}

export const lost = (): never => {
  throw new Error('connection lost');
};

/** A call over a network: it rejects if it is cut, and after it did its work if the reply is lost. */
export async function send<T>(network: Network, work: () => MaybePromise<T>): Promise<T> {
  if (network.isCut) lost();
  const answer = await work();
  const { isReplyLost } = network;
  network.isReplyLost = false;
  return isReplyLost ? lost() : answer;
}

export interface RemoteJournalOptions {
  /** Whether it makes a failed call a second time. Otherwise the call rejects. */
  readonly repeats: boolean;
}

/** A sound journal in front of a remote store. With its next call it undoes what rejected calls may have done. */
export function createRemoteJournal(
  store: SynchronousJournal,
  network: Network,
  { repeats }: RemoteJournalOptions,
): Journal {
  const cleanups: (() => unknown)[] = [];
  const once = <T>(work: () => MaybePromise<T>): Promise<T> =>
    send(network, () => {
      for (const cleanUp of cleanups.splice(0)) cleanUp();
      return work();
    });
  const call = <T>(work: () => MaybePromise<T>, cleanUp?: () => unknown): Promise<T> =>
    once(work)
      .catch((error: unknown) => (repeats ? once(work) : Promise.reject(error)))
      .catch((error: unknown) => {
        if (cleanUp) cleanups.push(cleanUp);
        throw error;
      });
  return {
    add: (entry) =>
      call(
        () => store.add(entry),
        () => store.remove(entry, entry.token),
      ),
    get: (key) => call(() => store.get(key)),
    claim: (key, hold) =>
      call(
        () => store.claim(key, hold),
        () => {
          const now = store.get(key);
          if (now && now.token === hold.token) store.settle(now);
        },
      ),
    settle: (entry) =>
      call(
        () => store.settle(entry),
        () => {
          if (entry.state === 'refused' || entry.state === 'abandoned') store.remove(entry, entry.token);
          const now = store.get(entry);
          if (now && now.token === entry.token) store.settle(now);
        },
      ),
    list: (target, options) => call(() => store.list(target, options)),
    remove: (key, token) => call(() => store.remove(key, token)),
  };
}
