import { limits, type OperationName } from '../src/index.ts';

const tag = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const account = '0b9d7c52-4a0f-4a4e-9d77-3f6c2b1a8e10';
const friend = 'U0123456789abcdef0123456789abcdef';
const project = 'd3b4a5f6-1c2d-4e3f-8a9b-0c1d2e3f4a5b';
const scenario = '9a7e5c31-4b2d-4f60-8c1a-7d3e2b9f0a64';
const form = '5e2a9d47-6c1b-4d38-9f70-3b8a1c6e4d25';
const link = 'c4d81f6a-2e95-4b07-8a3d-6f1e9b2c7d50';
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
/** The record after a change: its revision is another. */
const changedRevision = 'b81d5e7a04c92f63d17ea8059c4b2f6ed3905a7c81e64fb2097da3c5e8160f4b';
const friendRecord = {
  accountId: account,
  userId: friend,
  revision,
  label: 'Mika',
  displayName: 'Mika',
  status: 'unread',
  notes: null,
  tagIds: [],
  createdAt: '2026-04-01T00:00:00.000Z',
  updatedAt: '2026-04-01T00:00:00.000Z',
};
const enrollment = {
  id: '2d6b8f10-7e3c-4a95-b0d1-5c9e4f2a8b73',
  accountId: account,
  userId: friend,
  scenarioId: scenario,
  scenarioName: 'Welcome',
  status: 'active',
  nextStep: 0,
  enrolledAt: '2026-04-02T09:00:00.000Z',
};
const updatedAt = '2026-04-02T09:00:00.000Z';
const projectRecord = {
  id: project,
  name: 'Website',
  description: 'The new site.',
  archived: false,
  updatedAt: '2026-04-01T00:00:00.000Z',
};

const documentSummary = {
  id: 'b6f0c3d8-5e21-4a97-8d4c-0a9e7f1b3c62',
  title: 'Opening hours',
  kind: 'note',
  updatedAt: '2026-04-01T00:00:00.000Z',
};

type Examples = Record<string, { summary: string; value: unknown }>;

const toPage = (record: object): object => ({ records: [record], total: 1, limited: false });
const toApplied = (result: object, isReplayed = false): object => ({
  ok: true,
  applied: true,
  replayed: isReplayed,
  auditRecorded: true,
  result,
});

/** The examples in the OpenAPI document. A request and its answer have the same name. A test checks each against its schema. */
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
      list: { summary: 'At most five tags', value: { resource: 'tags', limit: 5 } },
      accounts: { summary: 'The accounts', value: { resource: 'accounts' } },
      single: { summary: 'One tag', value: { resource: 'tags', id: tag } },
      friends: { summary: 'Friends by name', value: { resource: 'friends', search: 'mika' } },
      conversations: {
        summary: 'The conversations of an account',
        value: { resource: 'conversations', accountId: account },
      },
      messages: {
        summary: 'Messages with a friend',
        value: { resource: 'messages', accountId: account, userId: friend },
      },
      submissions: {
        summary: 'The submissions of a form',
        value: { resource: 'form-submissions', id: form },
      },
      automations: {
        summary: 'The scenarios of a friend',
        value: { resource: 'friend-automations', accountId: account, userId: friend },
      },
      clicks: { summary: 'The clicks on a link', value: { resource: 'link-clicks', id: link } },
    },
    response: {
      list: { summary: 'A list', value: toPage(tagRecord) },
      accounts: {
        summary: 'Accounts',
        value: toPage({ id: account, name: 'Salon', createdAt: '2026-01-01T00:00:00.000Z' }),
      },
      single: { summary: 'One record', value: { record: tagRecord } },
      friends: { summary: 'Friends', value: toPage(friendRecord) },
      conversations: {
        summary: 'Conversations',
        value: toPage({
          accountId: account,
          userId: friend,
          displayName: 'Mika',
          status: 'unread',
          lastMessageText: 'Are you open on Sunday?',
          lastMessageAt: updatedAt,
        }),
      },
      messages: {
        summary: 'Messages',
        value: toPage({
          id: '7c3f1e90-5a8d-4b26-91e4-0d6b2f8a5c19',
          accountId: account,
          userId: friend,
          direction: 'incoming',
          text: 'Are you open on Sunday?',
          sentAt: updatedAt,
        }),
      },
      submissions: {
        summary: 'Submissions',
        value: toPage({
          id: 'e05b7a2c-9d14-4f83-a6c0-1b7d3e8f5a92',
          formId: form,
          accountId: account,
          userId: friend,
          values: { mail: 'mika@example.com', topics: ['Offers'] },
          submittedAt: updatedAt,
        }),
      },
      automations: { summary: 'Scenarios of a friend', value: toPage(enrollment) },
      clicks: {
        summary: 'Clicks',
        value: toPage({
          id: '83a6d4f2-1c7e-4059-bd28-9e5f0a3c6b71',
          linkId: link,
          accountId: account,
          userId: friend,
          clickedAt: updatedAt,
        }),
      },
    },
  },
  changeChat: {
    request: {
      create: {
        summary: 'Create a tag',
        value: {
          operationId: '1f0d3c5b-7a92-4e68-8b14-2c9d7e5f6a30',
          change: { action: 'create-tags', data: { name: 'VIP', color: 'pink' } },
        },
      },
      update: {
        summary: 'Rename a tag',
        value: {
          operationId: '6a4e9b02-d5c7-4183-9f2e-8b0c3d7a1e56',
          change: {
            action: 'update-tags',
            id: tag,
            expectedRevision: revision,
            expectedLabel: 'VIP',
            data: { name: 'VIP+', color: 'pink' },
          },
        },
      },
      delete: {
        summary: 'Delete a tag',
        value: {
          operationId: 'c82f5d19-3b6a-4e07-a4d8-5f1b9e6c0a27',
          change: {
            action: 'delete-configuration',
            resource: 'tags',
            id: tag,
            expectedRevision: revision,
            expectedLabel: 'VIP',
          },
        },
      },
      friend: {
        summary: 'Update a friend',
        value: {
          operationId: '40b7e8c6-9f21-4d5a-8c3e-2a6d1f0b7e94',
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
          operationId: 'f3d1a6b8-0e74-4c92-b5a9-7c8e2d4f6b10',
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
          operationId: '9be2c7f4-6d30-4a18-8e5b-3f7a0d1c9b62',
          change: { action: 'enroll-scenario', accountId: account, userId: friend, scenarioId: scenario },
        },
      },
    },
    response: {
      create: { summary: 'Applied now', value: toApplied(tagRecord) },
      replayed: { summary: 'Applied by an earlier request', value: toApplied(tagRecord, true) },
      update: {
        summary: 'The tag after the change',
        value: toApplied({
          ...tagRecord,
          revision: changedRevision,
          label: 'VIP+',
          name: 'VIP+',
          updatedAt,
        }),
      },
      delete: { summary: 'The deletion', value: toApplied({ id: tag, deleted: true }) },
      friend: {
        summary: 'The friend after the change',
        value: toApplied({
          ...friendRecord,
          revision: changedRevision,
          status: 'resolved',
          notes: 'Prefers mornings.',
          updatedAt,
        }),
      },
      tags: {
        summary: 'The friend with the tags',
        value: toApplied({ ...friendRecord, revision: changedRevision, tagIds: [tag], updatedAt }),
      },
      enroll: { summary: 'The friend in the scenario', value: toApplied(enrollment) },
    },
  },
  readStudio: {
    request: {
      projects: { summary: 'Projects', value: { resource: 'projects', archived: false } },
      documents: {
        summary: 'Notes of a project',
        value: { resource: 'documents', projectId: project, kind: 'note' },
      },
      document: {
        summary: 'One document',
        value: { resource: 'document', projectId: project, documentId: documentSummary.id },
      },
    },
    response: {
      projects: { summary: 'The only page', value: { projects: [projectRecord], total: 1, next: null } },
      documents: {
        summary: 'The notes',
        value: { project: projectRecord, documents: [documentSummary], total: 1, next: null },
      },
      document: {
        summary: 'The document',
        value: {
          project: projectRecord,
          document: { ...documentSummary, body: 'Monday to Saturday, 10:00 to 19:00.' },
        },
      },
    },
  },
};
