import { text } from '@orgchat/spec';
import * as z from 'zod';
import { ControlError, notFound, sandboxGone } from '../../input-checks/control-error.ts';
import { parseControl } from '../../input-checks/parse-control.ts';
import { memoize } from '../../memoize.ts';
import { formatNumber, maxSandboxes, maxSandboxTtlMs, stateBytes } from '../../mock-limits.ts';
import { endSandbox, toSandboxEvent } from '../../sandboxes/end-sandbox.ts';
import { describeUnknown } from '../../sandboxes/gone-sandboxes.ts';
import type { ServedMock } from '../../served-mock.ts';
import type { World } from '../../world/world.ts';
import { type ControlCalls, done } from '../call.ts';
import { limitFields, requestReference, stateInput } from '../shared-schemas.ts';
import { branchWorld, findKeptState, readLimits, setLimits } from '../world.ts';
import type { LimitsPatch } from './limits.ts';

/* Isolated mocks. */

const sandboxInput = memoize(() =>
  z
    .strictObject({
      name: text(1, 200)
        .optional()
        .meta({ description: 'What to show in the list of sandboxes, such as the title of a test.' }),
      state: stateInput().optional().meta({ description: 'A saved state, or a seed.' }),
      seed: stateInput().optional().meta({ description: 'A seed instead of a state.' }),
      from: z
        .strictObject(requestReference())
        .optional()
        .meta({ id: 'BranchPoint', description: 'A request of this world: the state just before it.' }),
      ...limitFields(),
      ttlMs: z.int().min(1).max(maxSandboxTtlMs).optional().meta({
        description:
          'Drop the sandbox after this many milliseconds of real time without a request to its API or control API. Default: never.',
      }),
    })
    .check((ctx) => {
      const { state, seed, from } = ctx.value;
      const [first, second] = Object.entries({ state, seed, from }).filter(
        ([, value]) => value !== undefined,
      );
      if (first === undefined || second === undefined) return;
      ctx.issues.push({
        code: 'custom',
        message: `cannot be used together with ${first[0]}`,
        path: [second[0]],
        input: second[1],
      });
    })
    .meta({ id: 'SandboxInput', description: 'Default: the initial state and limits of the mock.' }),
);

/**
 * A sandbox: its name, its initial state or seed, its limits, and how long it stays without a request. Default: the initial state and limits of the mock.
 */
export type SandboxInput = z.input<ReturnType<typeof sandboxInput>>;

/** The world that a new sandbox is reset to. It is shared with this mock unless something differs. */
function createInitialWorld(
  { initialWorld, services }: ServedMock,
  document: unknown,
  limits: LimitsPatch,
): World {
  const hasOwnLimits = Object.values(limits).some((limit) => limit !== undefined);
  if (document === undefined && !hasOwnLimits) return initialWorld;
  const world = document === undefined ? initialWorld.fork() : services.load(document);
  setLimits(world, readLimits(initialWorld));
  setLimits(world, limits);
  return world;
}

/** The state before a request of this mock as a world of its own. */
function createBranch({ world }: ServedMock, requestId: number | string, limits: LimitsPatch): World {
  const branch = branchWorld(world, findKeptState(world, requestId));
  setLimits(branch, limits);
  return branch;
}

/** Whether a sandbox was created from a mock, or from one of its sandboxes. */
function isBelow(sandbox: ServedMock, mock: ServedMock): boolean {
  for (let above = sandbox.parent; above !== undefined; above = above.parent) if (above === mock) return true;
  return false;
}

const listOwn = (mock: ServedMock): ServedMock[] =>
  [...mock.services.sandboxes.values()].filter((sandbox) => isBelow(sandbox, mock));

/** Says why a sandbox cannot be dropped: it is gone already, or there was none. */
function sandboxNotFound({ goneSandboxes }: ServedMock['services'], id: string): ControlError {
  const gone = goneSandboxes.get(id);
  return gone === undefined ? notFound(`sandbox ${id}`, describeUnknown(id)) : sandboxGone(gone);
}

/** Drops a sandbox below a mock: another one is none of its sandboxes. */
function drop(mock: ServedMock, id: string): void {
  const sandbox = mock.services.sandboxes.get(id);
  if (sandbox === undefined || !isBelow(sandbox, mock)) throw sandboxNotFound(mock.services, id);
  endSandbox(sandbox, 'dropped');
}

function tooManySandboxes(): ControlError {
  const message = `There are ${formatNumber(maxSandboxes)} sandboxes, the maximum of a mock. Remove the sandboxes you do not need: DELETE /sandboxes/{id}, or DELETE /sandboxes for all.`;
  return new ControlError(409, 'TOO_MANY_SANDBOXES', message, { limit: maxSandboxes });
}

export const sandboxCalls = {
  createSandbox: {
    method: 'POST',
    path: '/sandboxes',
    status: 201,
    body: sandboxInput,
    bodyBytes: stateBytes,
    tag: 'Sandboxes',
    summary: 'Create a sandbox',
    description:
      'A mock with its own state, clock, limits, faults and request log. With `from`, it starts from the state just before a request of this mock.',
    errors: [404, 409],
    example: { name: 'orders test', rateLimit: 'off' },
    answer: () =>
      z
        .object({
          id: z.string(),
          name: z.string().optional(),
          baseUrl: z.string(),
          controlUrl: z.string(),
        })
        .meta({ id: 'Sandbox', description: 'The addresses of a sandbox.' }),
    mock: 'sandbox',
    run: (mock, input = {}) => {
      const { name, state, seed, from, ttlMs, ...limits } = parseControl(sandboxInput(), input);
      const { sandboxes, nextSandboxId, createSandbox, rootEvents } = mock.services;
      if (sandboxes.size >= maxSandboxes) throw tooManySandboxes();
      const initialWorld =
        from === undefined
          ? createInitialWorld(mock, state ?? seed, limits)
          : createBranch(mock, from.requestId, limits);
      const id = nextSandboxId();
      const sandbox = createSandbox(initialWorld, { id, name, ttlMs, parent: mock });
      sandboxes.set(id, sandbox);
      rootEvents.add('sandbox', toSandboxEvent(sandbox, 'created'));
      return sandbox;
    },
    toAnswer: (sandbox, request) => ({
      ...sandbox.addresses(request.origin()),
      ...(sandbox.name !== undefined && { name: sandbox.name }),
    }),
  },
  listSandboxes: {
    method: 'GET',
    path: '/sandboxes',
    tag: 'Sandboxes',
    summary: 'The sandboxes created from this mock or its sandboxes',
    answer: () =>
      z
        .object({
          sandboxes: z.array(
            z
              .object({
                id: z.string(),
                name: z.string().nullable(),
                baseUrl: z.string(),
                controlUrl: z.string(),
                expiresAt: z.string().meta({ format: 'date-time' }).nullable().meta({
                  description: 'When it is dropped if no request comes; null if it has no ttlMs.',
                }),
                requests: z.int().min(0).meta({
                  description:
                    'Number of requests of its API since it was created or reset, or its log was cleared.',
                }),
                refused: z.int().min(0).meta({
                  description: 'How many of them were answered with an error.',
                }),
                lastRequestAt: z.string().meta({ format: 'date-time' }).nullable().meta({
                  description: 'When the last of them came, by the clock of the sandbox.',
                }),
                lastRefusal: z
                  .object({
                    error: z.string().nullable(),
                    because: z.string(),
                    problem: z
                      .object({
                        path: z.string(),
                        sent: z.string().optional(),
                        didYouMean: z.string().optional(),
                      })
                      .optional()
                      .meta({ description: 'The first problem of a body; absent for other reasons.' }),
                  })
                  .nullable()
                  .meta({
                    description: 'The error code and the reason of the last refusal; null if there is none.',
                  }),
              })
              .meta({ id: 'SandboxEntry', description: 'A sandbox in a list; name is null if it has none.' }),
          ),
        })
        .meta({ id: 'SandboxList' }),
    mock: 'listSandboxes',
    run: (mock, origin = mock.services.origin) =>
      listOwn(mock).map((sandbox) => {
        const { id = '', baseUrl, controlUrl } = sandbox.addresses(origin);
        const expiresAt = sandbox.lifetime?.expiresAt ?? null;
        const { requestLog } = sandbox.world;
        return { id, name: sandbox.name ?? null, baseUrl, controlUrl, expiresAt, ...requestLog.summarize() };
      }),
    toArguments: ({ request }) => [request.origin()],
    toAnswer: (sandboxes) => ({ sandboxes }),
  },
  dropSandboxes: {
    method: 'DELETE',
    path: '/sandboxes',
    tag: 'Sandboxes',
    summary: 'Remove all these sandboxes',
    answer: () =>
      z
        .object({
          dropped: z.int().min(0).meta({ description: 'Number of sandboxes that were removed.' }),
        })
        .meta({ id: 'DroppedSandboxes' }),
    mock: 'dropSandboxes',
    run: (mock) => {
      const own = listOwn(mock);
      for (const { id } of own) drop(mock, id ?? '');
      return own.length;
    },
    toAnswer: (dropped) => ({ dropped }),
  },
  dropSandbox: {
    method: 'DELETE',
    path: '/sandboxes/{id}',
    tag: 'Sandboxes',
    summary: 'Remove a sandbox',
    parameters: { id: { description: 'The id of a fault or sandbox.', example: 'fault-1' } },
    errors: [404, 410],
    answer: done,
    mock: 'dropSandbox',
    run: drop,
  },
} as const satisfies ControlCalls;
