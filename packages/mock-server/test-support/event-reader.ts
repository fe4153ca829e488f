import type { EventData } from '../src/index.ts';

/** An event as it came, with the data of its name. */
export type ReceivedEvent = {
  [Name in keyof EventData]: { readonly id: string; readonly name: Name; readonly data: EventData[Name] };
}[keyof EventData];

/** Reads a stream of events as the HTML standard says, as far as the mock uses it. */
export class EventReader {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = '';
  /** The id to continue after. */
  lastEventId = '';
  /** Everything that came so far. */
  received = '';

  private constructor(response: Response) {
    this.response = response;
    if (response.body === null) throw new Error('A stream has a body.');
    this.#reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Opens a stream. Resolves when it has begun, so that no later event is missed. */
  static async open(
    controlUrl: string,
    options: {
      readonly lastEventId?: string;
      readonly fetch?: typeof fetch;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<EventReader> {
    const { lastEventId, signal } = options;
    const send = options.fetch ?? fetch;
    const response = await send(`${controlUrl}/events`, {
      headers: lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId },
      signal: signal ?? null,
    });
    const reader = new EventReader(response);
    if (response.status === 200) await reader.#block();
    return reader;
  }

  /** The next event; undefined at the end of the stream. */
  async next(): Promise<ReceivedEvent | undefined> {
    for (;;) {
      const block = await this.#block();
      if (block === undefined) return undefined;
      if (block.data !== undefined) {
        return { id: block.id, name: block.event, data: JSON.parse(block.data) } as ReceivedEvent;
      }
    }
  }

  /** The next events, each as its name. */
  async names(count: number): Promise<string[]> {
    return (await this.take(count)).map(({ name }) => name);
  }

  async take(count: number): Promise<ReceivedEvent[]> {
    const events: ReceivedEvent[] = [];
    while (events.length < count) {
      const event = await this.next();
      if (event === undefined) throw new Error(`The stream ended after ${events.length} events.`);
      events.push(event);
    }
    return events;
  }

  /** Ends the stream as a client that goes away does. */
  async close(): Promise<void> {
    await this.#reader.cancel();
  }

  /** The fields of the next block; undefined at the end of the stream. */
  async #block(): Promise<Record<string, string> | undefined> {
    let end = this.#text.indexOf('\n\n');
    while (end < 0) {
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += value;
      this.received += value;
      end = this.#text.indexOf('\n\n');
    }
    const lines = this.#text.slice(0, end).split('\n');
    this.#text = this.#text.slice(end + 2);
    const fields = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    if (fields.id !== undefined) this.lastEventId = fields.id;
    return fields;
  }
}
