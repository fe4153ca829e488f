import { limits, type OperationName } from '../src/index.ts';

const tag = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const account = '0b9d7c52-4a0f-4a4e-9d77-3f6c2b1a8e10';
const friend = 'U0123456789abcdef0123456789abcdef';
const project = 'd3b4a5f6-1c2d-4e3f-8a9b-0c1d2e3f4a5b';
const operationId = '1f0d3c5b-7a92-4e68-8b14-2c9d7e5f6a30';
const revision = '3f0a9c1be0b7d4c86a52f1e79d3b80f4c6a1d25e7b9038fc41ad6e5b0297c3d1';

const tagRecord = {
  id: tag,
  revision,
  label: 'VIP',
  name: 'VIP',
  color: 'pink',
  createdAt: '2026-04-01T00:00:00.000Z',
  updatedAt: '2026-04-01T00:00:00.000Z',
};
const projectRecord = {
  id: project,
  name: 'Website',
  description: 'The new site.',
  archived: false,
  updatedAt: '2026-04-01T00:00:00.000Z',
};

type Examples = Record<string, { summary: string; value: unknown }>;

/** The examples in the OpenAPI document; a test checks each against its schema. */
export const examples: Record<OperationName, { request?: Examples; response: Examples }> = {
  getAccount: {
    response: {
      account: {
        summary: 'A read key',
        value: {
          organizationId: 'org_demo',
          key: { name: 'Demo read key', scope: 'read' },
          plan: 'business',
          credits: { allowance: 1000, used: 120, remaining: 880, resetsAt: '2026-05-01T00:00:00.000Z' },
          api: { used: 42, limit: 100_000, perMinute: limits.requestsPerMinute },
        },
      },
    },
  },
  addSeoKeywords: {
    request: {
      keywords: {
        summary: 'Two keywords in a group',
        value: { keywords: ['summer', 'sale'], group: 'season' },
      },
    },
    response: {
      added: { summary: 'One keyword already existed', value: { added: ['summer'], skipped: ['sale'] } },
    },
  },
  readChat: {
    request: {
      list: { summary: 'The five newest tags', value: { resource: 'tags', limit: 5 } },
      single: { summary: 'One tag', value: { resource: 'tags', id: tag } },
      friends: { summary: 'Friends by name', value: { resource: 'friends', search: 'mika' } },
      messages: {
        summary: 'Messages with a friend',
        value: { resource: 'messages', accountId: account, userId: friend },
      },
    },
    response: {
      list: { summary: 'A list', value: { records: [tagRecord], total: 1, limited: false } },
      single: { summary: 'One record', value: { record: tagRecord } },
    },
  },
  changeChat: {
    request: {
      create: {
        summary: 'Create a tag',
        value: { operationId, change: { action: 'create-tags', data: { name: 'VIP', color: 'pink' } } },
      },
      update: {
        summary: 'Rename a tag, guarded by the last read revision',
        value: {
          operationId,
          change: {
            action: 'update-tags',
            id: tag,
            expectedRevision: revision,
            expectedLabel: 'VIP',
            data: { name: 'VIP+', color: 'pink' },
          },
        },
      },
      friend: {
        summary: 'Update a friend',
        value: {
          operationId,
          change: {
            action: 'update-friend',
            accountId: account,
            userId: friend,
            expectedRevision: revision,
            expectedLabel: 'Mika',
            data: { notes: 'Prefers mornings.', status: 'resolved' },
          },
        },
      },
      tags: {
        summary: 'Set the tags of a friend',
        value: {
          operationId,
          change: {
            action: 'set-friend-tags',
            accountId: account,
            userId: friend,
            expectedRevision: revision,
            expectedLabel: 'Mika',
            tagIds: [tag],
          },
        },
      },
      enroll: {
        summary: 'Enroll a friend in a scenario',
        value: {
          operationId,
          change: { action: 'enroll-scenario', accountId: account, userId: friend, scenarioId: project },
        },
      },
    },
    response: {
      applied: {
        summary: 'Applied now',
        value: { ok: true, applied: true, replayed: false, auditRecorded: true, result: tagRecord },
      },
      replayed: {
        summary: 'Applied by an earlier request',
        value: { ok: true, applied: true, replayed: true, auditRecorded: true, result: tagRecord },
      },
    },
  },
  readStudio: {
    request: {
      projects: { summary: 'Projects', value: { resource: 'projects', archived: false } },
      documents: {
        summary: 'Notes of a project',
        value: { resource: 'documents', projectId: project, kind: 'note' },
      },
    },
    response: {
      projects: { summary: 'The only page', value: { projects: [projectRecord], total: 1, next: null } },
    },
  },
};
