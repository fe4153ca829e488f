import * as z from 'zod';
import { limits } from '../limits.ts';
import { moment } from '../primitives.ts';

/** SPECIFICATION.md, section 4.1: the response to `GET /me`. */
export const accountResponse = z
  .object({
    organizationId: z.string().meta({ description: 'The organization the key belongs to.' }),
    key: z
      .object({
        name: z.string().meta({ description: 'The name its creator gave the key.' }),
        scope: z.enum(['read', 'write']).meta({ description: 'What the key may do.' }),
      })
      .meta({ description: 'The calling key; never its secret.' }),
    plan: z.string().meta({ description: 'The plan of the organization.' }),
    credits: z
      .object({
        allowance: z.number().meta({ description: 'Credits of the current period.' }),
        used: z.number().meta({ description: 'Credits used in the current period.' }),
        remaining: z.number().meta({ description: 'Credits left in the current period.' }),
        resetsAt: moment.meta({ description: 'When the next period begins.' }),
      })
      .meta({ description: 'The credits of the organization.' }),
    api: z
      .object({
        used: z.number().meta({ description: 'Requests this month; may not yet include this one.' }),
        limit: z.number().meta({ description: 'Requests per month that the plan allows.' }),
        perMinute: z.number().meta({ description: 'Requests per minute per key.' }),
      })
      .meta({ description: 'API usage.' }),
  })
  .meta({
    id: 'Account',
    description: 'The organization, key, plan, credits and API use behind the calling key.',
    examples: [
      {
        organizationId: 'org_demo',
        key: { name: 'Deployment', scope: 'write' },
        plan: 'business',
        credits: { allowance: 1000, used: 120, remaining: 880, resetsAt: '2026-05-01T00:00:00.000Z' },
        api: { used: 42, limit: 100000, perMinute: limits.requestsPerMinute },
      },
    ],
  });
