import * as z from 'zod';
import { announceEdit, byControl } from '../../apply/announce.ts';
import { injectionSchemas } from '../../inject/schemas.ts';
import { injectKey } from '../../inject/sites-and-keys.ts';
import { inject } from '../../inject/target.ts';
import { invalid, notFound } from '../../input-checks/control-error.ts';
import { organizationQuery } from '../../input-checks/find-organization.ts';
import { parseControl } from '../../input-checks/parse-control.ts';
import { memoize } from '../../memoize.ts';
import { createKey } from '../../records/key.ts';
import type { ControlCalls } from '../call.ts';
import { listKeys } from '../organizations.ts';
import { omitUndefined } from '../shared-schemas.ts';

/* The API keys of the organizations. */

const keyPatch = memoize(() =>
  z
    .strictObject({
      scope: z.enum(['read', 'write']).optional(),
      revoked: z.boolean().optional(),
      suspended: z.boolean().optional().meta({ description: 'Whether the creator is suspended.' }),
      editor: z.boolean().optional().meta({ description: 'Whether the creator may edit.' }),
      accountIds: z
        .array(z.string())
        .nullable()
        .optional()
        .meta({ description: 'The accounts assigned to the creator; null for all.' }),
    })
    .meta({ id: 'KeyPatch', description: 'Omitted fields stay.' }),
);

/** Changes to a key and its creator. */
export type KeyPatch = z.input<ReturnType<typeof keyPatch>>;

const keySettings = memoize(() =>
  z
    .object({
      name: z.string(),
      organizationId: z.string(),
      scope: z.enum(['read', 'write']),
      revoked: z.boolean(),
      suspended: z.boolean(),
      editor: z.boolean(),
      accountIds: z.array(z.string()).nullable(),
    })
    .meta({ id: 'KeySettings', description: 'A key without its text.' }),
);

const keyEntry = memoize(() =>
  z
    .object({ key: z.string(), ...keySettings().shape })
    .meta({ id: 'KeyEntry', description: 'A key with its text.' }),
);

const listedKey = memoize(() =>
  z
    .object({
      ...keyEntry().shape,
      plan: z.string().meta({ description: 'The plan of its organization.' }),
      usage: z
        .object({
          lastMinute: z.int().min(0).meta({
            description: 'Requests of this key in the last minute; 0 if the mock does not limit them.',
          }),
          month: z.string().meta({ description: "The month of the mock's clock, such as 2026-04." }),
          thisMonth: z.int().min(0).meta({
            description: 'Requests of all keys of the organization in that month.',
          }),
          monthlyLimit: z.number().min(0).nullable().meta({
            description: 'The limit of thisMonth; null if there is none.',
          }),
        })
        .meta({ id: 'KeyUsage', description: 'How many requests of a key count for the limits.' }),
    })
    .meta({ id: 'ListedKey', description: 'A key with its text, and what counts for its limits.' }),
);

export const keyCalls = {
  listKeys: {
    method: 'GET',
    path: '/keys',
    query: organizationQuery,
    tag: 'Records',
    summary: 'The keys of an organization',
    errors: [404],
    answer: () => z.object({ keys: z.array(listedKey()) }).meta({ id: 'KeyList' }),
    mock: 'listKeys',
    run: ({ world }, options = {}) => listKeys(world, options),
    toAnswer: (keys) => ({ keys }),
  },
  addKey: {
    method: 'POST',
    path: '/keys',
    status: 201,
    query: organizationQuery,
    body: () => injectionSchemas().key,
    bodyRequired: true,
    tag: 'Records',
    summary: 'Add an API key',
    errors: [404, 409],
    example: { name: 'Second team', scope: 'write' },
    answer: keyEntry,
    mock: 'inject.key',
    run: ({ world }, input, options = {}) =>
      inject(world, 'keys', '/keys', () => injectKey(world, input, options)),
  },
  patchKey: {
    method: 'PATCH',
    path: '/keys/{key}',
    body: keyPatch,
    tag: 'Records',
    summary: 'Change a key or its creator',
    description: 'Effective with the next request.',
    parameters: { key: { description: 'The text of a key.', example: 'demo-read-key' } },
    errors: [404],
    example: { revoked: true },
    answer: keySettings,
    mock: 'patchKey',
    run: ({ world }, secret, value) => {
      const patch = parseControl(keyPatch(), value);
      const key = world.keys.get(secret);
      const organization = key && world.organizations.get(key.organizationId);
      if (key === undefined || organization === undefined)
        throw notFound(
          'such key',
          `The keys of this mock server are named ${world
            .listKeys()
            .map(({ name }) => name)
            .join(', ')}.`,
        );
      const unknown = patch.accountIds?.find(
        (id) => organization.accountNumber(id.toLowerCase()) === undefined,
      );
      if (unknown !== undefined) throw invalid(`accountIds contains an unknown account: ${unknown}.`);
      const accountIds = patch.accountIds?.map((id) => id.toLowerCase());
      const changed = { ...key, ...omitUndefined(patch), ...(accountIds && { accountIds }) };
      const next = createKey(organization, changed);
      world.keys.set(secret, next);
      world.recorder?.('key', organization.id, secret, next);
      announceEdit(world, organization, 'keys', { id: next.name, revision: '' }, byControl);
      const { key: _key, accountScope: _scope, masked: _masked, ...shown } = next;
      return shown;
    },
  },
} as const satisfies ControlCalls;
