import * as z from 'zod';
import { eventsHeaders } from '../../events/event-streams.ts';
import { memoize } from '../../memoize.ts';
import type { ControlCalls } from '../call.ts';
import { clockReading } from './clock.ts';
import { requestAnswers } from './requests.ts';

/* The stream of what happens in a mock. */

/** What is in the stream. */
export const eventAnswers = memoize(() => {
  const text = z.string();
  const textOrNull = z.string().nullable();

  const recordEvent = z
    .object({
      organizationId: text,
      resource: text.meta({
        description:
          'A resource of the API, or keywords, keys, sites or organizations, which only the mock shows.',
      }),
      id: text.meta({
        description: 'A friend is accountId/userId, a keyword siteId/keyword, and a key its name.',
      }),
      action: z.enum(['created', 'changed', 'deleted']),
      revision: textOrNull.meta({
        description: 'The revision after the change; null if it was deleted or has none.',
      }),
      by: z.enum(['request', 'rival-edit', 'control']).meta({
        description: 'A request of the API, the fault rival-edit, or a call of the control API.',
      }),
      requestId: textOrNull.meta({
        description:
          'The request that made the change, or that the fault hit; null for a call of the control API.',
      }),
      keyName: textOrNull,
    })
    .meta({ id: 'RecordEvent', description: 'A record that was created, changed or deleted.' });

  const operationEvent = z
    .object({
      organizationId: text,
      operationId: text,
      state: z.enum(['running', 'applied', 'uncertain', 'refused', 'free']).meta({
        description:
          'free if the operationId may be used again; refused if it may be used for the same input, as a described server says.',
      }),
    })
    .meta({ id: 'OperationEvent', description: 'A change operation in a new state.' });

  const faultEvent = z
    .object({
      action: z.enum(['armed', 'hit', 'disarmed']),
      id: textOrNull.meta({ description: 'Null if all faults were disarmed.' }),
      effect: textOrNull,
      requestId: textOrNull.meta({ description: 'The request that was hit.' }),
    })
    .meta({ id: 'FaultEvent', description: 'A fault that was armed, hit a request, or was disarmed.' });

  const sandboxEvent = z
    .object({
      action: z.enum(['created', 'dropped', 'reset', 'replaced', 'rewound']),
      id: textOrNull.meta({ description: 'Null for the root mock.' }),
      name: textOrNull,
    })
    .meta({
      id: 'SandboxEvent',
      description:
        'A sandbox that was created or dropped; or the whole state after a reset or a rewind, or after it was replaced: read everything again.',
    });

  const gapEvent = z
    .object({
      lost: z.int().min(0).nullable().meta({
        description:
          'Number of lost events; null if the last id is of another mock, or of one that was restarted.',
      }),
    })
    .meta({ id: 'GapEvent', description: 'Events that the reader did not get.' });

  /** What is in an event, by the name of the event. */
  const eventData = z.object({
    request: requestAnswers().requestLogEntry,
    record: recordEvent,
    operation: operationEvent,
    fault: faultEvent,
    clock: clockReading(),
    sandbox: sandboxEvent,
    gap: gapEvent,
  });

  const names = Object.keys(eventData.shape) as (keyof typeof eventData.shape)[];
  const events = names.map((event) =>
    z.object({ id: text, event: z.literal(event), data: eventData.shape[event] }),
  );

  /** One event of the stream. On the wire, `data` is its JSON. */
  const mockEvent = z
    .union(events as [(typeof events)[number]])
    .meta({ id: 'MockEvent', description: 'One event of the stream, whose data is JSON.' });

  return { eventData, mockEvent };
});

export const eventCalls = {
  getEvents: {
    method: 'GET',
    path: '/events',
    headers: eventsHeaders,
    text: 'text/event-stream',
    tag: 'Requests',
    summary: 'Stream events as Server-Sent Events',
    description:
      'The stream ends when the reader closes it, or when the server stops. A reader that was away continues after Last-Event-ID; the `gap` event says how many events it missed. The stream of the root mock also says when a sandbox is created or dropped.',
    errors: [503],
    answer: () => eventAnswers().mockEvent,
    mock: 'events',
    run: ({ services, eventLog }, options = {}) => services.eventStreams.open(eventLog, options),
    // A browser sends no header if it has no id, other clients may send an empty one.
    toArguments: ({ request }) => [{ lastEventId: request.header('last-event-id') || undefined }],
  },
} as const satisfies ControlCalls;
