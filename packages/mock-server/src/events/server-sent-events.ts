import type { TextStream } from '../http/message.ts';
import type { EventSubscription } from './event-subscription.ts';
import type { MockEvent } from './event-types.ts';

/** Milliseconds until a reader connects again. */
const retryMs = 1000;

/** Enough for one write to a socket. */
const chunkLength = 16_384;

/** JSON has no line breaks, so one line of data is enough. */
const format = ({ id, name, data }: MockEvent): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Events in the format of Server-Sent Events, as the HTML standard defines it. */
export class ServerSentEvents implements TextStream {
  readonly heartbeat = ':\n\n';
  readonly #subscription: EventSubscription;
  #hasBegun = false;

  constructor(subscription: EventSubscription) {
    this.#subscription = subscription;
  }

  next(): string {
    let text = this.#begin();
    while (text.length < chunkLength) {
      const event = this.#subscription.next();
      if (event === undefined) break;
      text += format(event);
    }
    return text;
  }

  /** A reader that is disconnected before its first event continues from here. */
  #begin(): string {
    if (this.#hasBegun) return '';
    this.#hasBegun = true;
    return `retry: ${retryMs}\nid: ${this.#subscription.lastEventId}\n\n`;
  }

  wait(): Promise<void> {
    return this.#subscription.wait();
  }

  get isEnded(): boolean {
    return this.#subscription.isEnded;
  }

  close(): void {
    this.#subscription.close();
  }
}
