import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { RequestMessage } from '@orgchat/mock-server';

/** Collects the ids of requests whose whole answer was sent, of all sandboxes: their requests have different ids. */
export class AnsweredRequests {
  readonly ids = new Set<number>();

  constructor() {
    subscribe('orgchat.mock.request', this.#receive);
  }

  readonly #receive = (message: unknown): void => {
    const { response, getEntry } = message as RequestMessage;
    response.once('close', () => {
      if (response.writableFinished) this.ids.add(getEntry().id);
    });
  };

  stop(): void {
    unsubscribe('orgchat.mock.request', this.#receive);
  }
}
