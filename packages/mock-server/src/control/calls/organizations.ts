import * as z from 'zod';
import { announceEdit, byControl } from '../../apply/announce.ts';
import { invalid } from '../../input-checks/control-error.ts';
import { findOrganization, organizationQuery } from '../../input-checks/find-organization.ts';
import { parseControl } from '../../input-checks/parse-control.ts';
import { memoize } from '../../memoize.ts';
import type { ControlCalls } from '../call.ts';
import { listOrganizations } from '../organizations.ts';
import { omitUndefined } from '../shared-schemas.ts';

/* The organizations and their settings. */

const organizationPatch = memoize(() =>
  z
    .strictObject({
      plan: z.string().optional().meta({ description: 'The name of a plan of the seed.' }),
      runtime: z.enum(['up', 'down']).optional(),
      studio: z.boolean().optional().meta({ description: 'Whether the organization has Studio.' }),
      deleted: z.boolean().optional().meta({ description: 'Whether the organization is deleted: 401.' }),
    })
    .meta({ id: 'OrganizationPatch', description: 'Omitted fields stay.' }),
);

/** Changes to the organization. */
export type OrganizationPatch = z.input<ReturnType<typeof organizationPatch>>;

export const organizationCalls = {
  listOrganizations: {
    method: 'GET',
    path: '/organizations',
    tag: 'Records',
    summary: 'The organizations and their settings',
    answer: () =>
      z
        .object({
          organizations: z.array(
            z
              .object({
                id: z.string(),
                name: z.string(),
                plan: z.string(),
                runtime: z.enum(['up', 'down']),
                studio: z.boolean(),
                deleted: z.boolean(),
                plans: z.array(z.string()).meta({ description: 'The names of the plans that it can have.' }),
              })
              .meta({ id: 'OrganizationEntry', description: 'An organization in a list.' }),
          ),
        })
        .meta({ id: 'OrganizationList', description: 'In the order of the seed.' }),
    mock: 'organizations',
    run: ({ world }) => listOrganizations(world),
    toAnswer: (organizations) => ({ organizations }),
  },
  patchOrganization: {
    method: 'PATCH',
    path: '/organization',
    query: organizationQuery,
    body: organizationPatch,
    tag: 'Records',
    summary: 'Change an organization',
    description: 'Effective with the next request.',
    errors: [404],
    example: { runtime: 'down' },
    answer: () =>
      z
        .object({
          id: z.string(),
          plan: z.string(),
          runtime: z.enum(['up', 'down']),
          studio: z.boolean(),
          deleted: z.boolean(),
        })
        .meta({ id: 'OrganizationSettings', description: 'The settings of the organization.' }),
    mock: 'patchOrganization',
    run: ({ world }, value, options = {}) => {
      const patch = parseControl(organizationPatch(), value);
      const organization = findOrganization(world, options);
      if (patch.plan !== undefined && !world.plans.has(patch.plan)) {
        throw invalid(`plan must be one of ${[...world.plans.keys()].join(', ')}, got "${patch.plan}".`);
      }
      organization.settings = { ...organization.settings, ...omitUndefined(patch) };
      world.recorder?.('settings', organization.id, '', organization.settings);
      announceEdit(world, organization, 'organizations', { id: organization.id, revision: '' }, byControl);
      return { id: organization.id, ...organization.settings };
    },
  },
} as const satisfies ControlCalls;
