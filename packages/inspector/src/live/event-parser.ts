/** An event of a stream of Server-Sent Events. */
export interface StreamEvent {
  /** The id to continue after. */
  readonly id: string;
  readonly name: string;
  readonly data: string;
}

/**
 * Parses a stream of Server-Sent Events as it arrives: `EventSource` cannot send a token. Call it with each piece of
 * text; it returns the events that are complete.
 */
export function createEventParser(): (text: string) => StreamEvent[] {
  let rest = '';
  let id = '';
  return (text) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    const events: StreamEvent[] = [];
    for (const block of blocks) {
      let name = '';
      const data: string[] = [];
      for (const line of block.split('\n')) {
        const colon = line.indexOf(':');
        const field = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
        if (field === 'id') id = value;
        else if (field === 'event') name = value;
        else if (field === 'data') data.push(value);
      }
      // A block without an event only says where to continue.
      if (name !== '' || id !== '') events.push({ id, name, data: data.join('\n') });
    }
    return events;
  };
}
