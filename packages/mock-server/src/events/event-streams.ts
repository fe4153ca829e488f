import * as z from 'zod';
import { ControlError } from '../input-checks/control-error.ts';
import { parseControl } from '../input-checks/parse-control.ts';
import { memoize } from '../memoize.ts';
import { maxEventStreams } from '../mock-limits.ts';
import type { EventLog } from './event-log.ts';
import { EventSubscription } from './event-subscription.ts';

const isEventId = /^[0-9a-f]{8}\.\d{1,15}\.\d{1,15}$/;

/** What `events()` accepts. */
export const eventsInput = memoize(() =>
  z.strictObject({
    lastEventId: z
      .string()
      .refine((id) => isEventId.test(id), 'must be the id of an event, as a stream of events sends it')
      .optional()
      .meta({ description: 'Continue after the event with this id. Default: begin with the next event.' }),
  }),
);

/** The header of `GET /events`, as the document describes it. */
export const eventsHeaders = memoize(() => z.object({ 'Last-Event-ID': eventsInput().shape.lastEventId }));

/** The open event streams of a mock and its sandboxes, up to a maximum number. */
export class EventStreams {
  #open = 0;

  /** Opens a stream. Throws a `ControlError`: 400 if the input is invalid, 503 if too many streams are open. */
  open(log: EventLog, input: unknown): EventSubscription {
    const { lastEventId } = parseControl(eventsInput(), input);
    if (this.#open >= maxEventStreams) throw tooManyStreams();
    this.#open++;
    return new EventSubscription(log, lastEventId, () => this.#open--);
  }
}

function tooManyStreams(): ControlError {
  const message = `${maxEventStreams} event streams are open, the maximum of a mock and its sandboxes. Close one of them, then try again.`;
  return new ControlError(503, 'TOO_MANY_STREAMS', message, { limit: maxEventStreams });
}
