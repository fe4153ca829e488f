import * as z from 'zod';
import { parseControl } from '../../input-checks/parse-control.ts';
import { memoize } from '../../memoize.ts';
import type { ControlCalls } from '../call.ts';
import { limitFields } from '../shared-schemas.ts';
import { setLimits } from '../world.ts';

/* The limits of the mock, and the size of its history. */

const limitsPatch = memoize(() =>
  z.strictObject(limitFields()).meta({ id: 'LimitsPatch', description: 'Omitted fields stay.' }),
);

/** Limits to change: requests per minute per key and per month, and the number of states that the history keeps. */
export type LimitsPatch = z.input<ReturnType<typeof limitsPatch>>;

export const limitCalls = {
  patchLimits: {
    method: 'PATCH',
    path: '/limits',
    body: limitsPatch,
    tag: 'Records',
    summary: 'Change the limits, or turn history on',
    description: 'Effective with the next request; a reset restores the initial values.',
    example: { rateLimit: 'off' },
    answer: () =>
      z
        .object({
          rateLimit: z.union([z.int().min(0), z.literal('off')]),
          monthlyLimit: z.union([z.int().min(0), z.enum(['plan', 'off'])]),
          history: z
            .int()
            .min(0)
            .meta({ description: 'Number of states that the history keeps; 0 if it is off.' }),
        })
        .meta({ id: 'Limits', description: 'Limits and history of the mock, as in its options.' }),
    mock: 'patchLimits',
    run: ({ world }, patch) => setLimits(world, parseControl(limitsPatch(), patch)),
  },
} as const satisfies ControlCalls;
