import { pascalCase } from '@orgchat/spec';
import * as z from 'zod';
import { armFault } from '../../faults/arm.ts';
import { faultInput } from '../../faults/schema.ts';
import { memoize } from '../../memoize.ts';
import type { ControlCalls } from '../call.ts';

/* Faults to inject. */

const hit = memoize(() =>
  z
    .object({
      requestId: z.string(),
      at: z.string().meta({ format: 'date-time' }),
      operation: z.string(),
    })
    .meta({ id: 'FaultHit', description: 'A request that a fault hit.' }),
);

const toArmed = (option: ReturnType<typeof faultInput>['options'][number]) =>
  z
    .object({
      ...option.shape,
      id: z.string(),
      seen: z.int().min(0).meta({ description: 'Number of requests that matched, including skipped ones.' }),
      remaining: z.union([z.int().min(0), z.literal('always')]),
      hits: z.array(hit()),
    })
    .meta({ id: `Armed${pascalCase(option.shape.effect.value)}Fault` });

/** A fault as it was armed, with what it hit. */
const armedFault = memoize(() =>
  z
    .discriminatedUnion('effect', faultInput().options.map(toArmed) as [ReturnType<typeof toArmed>])
    .meta({ id: 'ArmedFault', description: 'An armed fault, with the requests it hit. Its key is masked.' }),
);

const disarmed = memoize(() =>
  z
    .object({
      disarmed: z.int().min(0).meta({ description: 'Number of faults that were disarmed.' }),
    })
    .meta({ id: 'Disarmed' }),
);

export const faultCalls = {
  listFaults: {
    method: 'GET',
    path: '/faults',
    tag: 'Faults',
    summary: 'List armed faults and the requests that they hit',
    answer: () => z.object({ faults: z.array(armedFault()) }).meta({ id: 'FaultList' }),
    mock: 'faults.list',
    run: ({ world }) => world.faults.list(),
    toAnswer: (faults) => ({ faults }),
  },
  armFault: {
    method: 'POST',
    path: '/faults',
    status: 201,
    body: faultInput,
    bodyRequired: true,
    tag: 'Faults',
    summary: 'Arm a fault',
    description: 'A fault that no request or key could match is refused with the values that would work.',
    errors: [409],
    example: { effect: 'lose-response', action: 'create-tags' },
    answer: armedFault,
    mock: 'faults.arm',
    run: ({ world }, fault) => armFault(world, fault),
  },
  disarmFaults: {
    method: 'DELETE',
    path: '/faults',
    tag: 'Faults',
    summary: 'Disarm all faults',
    answer: disarmed,
    mock: 'faults.disarm',
    run: ({ world }, id) => world.faults.disarm(id),
    toAnswer: (count) => ({ disarmed: count }),
  },
  disarmFault: {
    method: 'DELETE',
    path: '/faults/{id}',
    tag: 'Faults',
    summary: 'Disarm one fault',
    parameters: { id: { description: 'The id of a fault or sandbox.', example: 'fault-1' } },
    errors: [404],
    answer: disarmed,
    mock: 'faults.disarm',
    run: ({ world }, id) => world.faults.disarm(id),
    toAnswer: (count) => ({ disarmed: count }),
  },
} as const satisfies ControlCalls;
