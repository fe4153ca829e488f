import * as z from 'zod';
import { parseControl } from '../../input-checks/parse-control.ts';
import { memoize } from '../../memoize.ts';
import { stateBytes } from '../../mock-limits.ts';
import { type ControlCalls, done } from '../call.ts';
import { requestReference, stateInput } from '../shared-schemas.ts';
import { findKeptState, readLimits, replaceWorld, rewindWorld, setLimits } from '../world.ts';

/* The whole state: reset, rewind, save, replace. */

const rewindInput = memoize(() =>
  z.strictObject(requestReference()).meta({ id: 'RewindInput', description: 'The request to go back to.' }),
);

/** The request to go back to, by its `id` or `requestId`. */
export type RewindInput = z.input<ReturnType<typeof rewindInput>>;

export const stateCalls = {
  resetMock: {
    method: 'POST',
    path: '/reset',
    tag: 'State',
    summary: 'Reset to the initial state',
    description: 'Resets state, clock, limits, faults and request log.',
    answer: done,
    mock: 'reset',
    run: (mock) => replaceWorld(mock, mock.initialWorld.fork(), 'reset'),
  },
  rewindMock: {
    method: 'POST',
    path: '/rewind',
    body: rewindInput,
    bodyRequired: true,
    tag: 'State',
    summary: 'Go back to the state just before a request',
    description:
      'Clock, limits, faults and request log stay. 409 if history is off, the request changed nothing, or the state is not kept.',
    errors: [404, 409],
    example: { requestId: 'req-00000007' },
    answer: () =>
      z.object({ id: z.int().min(1), requestId: z.string() }).meta({
        id: 'RewoundRequest',
        description: 'The request that the state went back to, just before it.',
      }),
    mock: 'rewind',
    run: (mock, input) => {
      const { world, services, eventLog } = mock;
      const kept = findKeptState(world, parseControl(rewindInput(), input).requestId);
      replaceWorld(mock, rewindWorld(world, kept), 'rewound');
      const { id, requestId } = kept;
      const entry = world.requestLog.noteRewind(services.nextRequestId(), world.clock.now(), requestId);
      eventLog.addRequest(entry);
      // Requests in flight end in the state that was left: nobody goes back to a state between their changes.
      world.history = undefined;
      return { id, requestId };
    },
  },
  getState: {
    method: 'GET',
    path: '/state',
    answerBytes: stateBytes,
    tag: 'State',
    summary: 'Save the whole state',
    description: 'A state that PUT /state would not accept because of its size is 409 STATE_TOO_LARGE.',
    errors: [409],
    answer: () =>
      z
        .looseObject({
          format: z.literal('orgchat-state'),
          version: z.literal(1),
          savedAt: z.string().meta({ format: 'date-time' }),
          organizations: z.array(z.looseObject({ id: z.string() })).min(1),
        })
        .meta({
          id: 'SavedState',
          description: 'The whole state; PUT /state and POST /sandboxes accept it.',
        }),
    mock: 'state',
    run: ({ services, world }) => services.save(world),
  },
  replaceState: {
    method: 'PUT',
    path: '/state',
    body: stateInput,
    bodyRequired: true,
    bodyBytes: stateBytes,
    tag: 'State',
    summary: 'Replace the whole state',
    description: 'The state is restored entirely, or not at all.',
    example: { organizations: [{ id: 'org_a', keys: [{ key: 'key-a', name: 'A', scope: 'write' }] }] },
    answer: done,
    mock: 'restore',
    run: (mock, state) => {
      const world = mock.services.load(state);
      setLimits(world, readLimits(mock.world));
      replaceWorld(mock, world, 'replaced');
    },
  },
} as const satisfies ControlCalls;
