import type { Answer, Caller } from '../../../packages/mock-server/test-support/caller.ts';
import { createGuard } from '../../../packages/mock-server/test-support/caller.ts';
import { data, nobody, vip } from '../../../packages/mock-server/test-support/data.ts';
import type { Service } from './service.ts';

export type OperationName = 'getAccount' | 'addSeoKeywords' | 'readChat' | 'changeChat' | 'readStudio';

const change = { action: 'create-tags', data: data.tags };

/** A valid request of each operation. */
export const calls: Readonly<Record<OperationName, (caller: Caller) => Promise<Answer>>> = {
  getAccount: (caller) => caller.me(),
  addSeoKeywords: (caller) => caller.keywords('demo-site', { keywords: ['x'] }),
  readChat: (caller) => caller.read({ resource: 'tags' }),
  changeChat: (caller) => caller.apply(change),
  readStudio: (caller) => caller.studio({ resource: 'projects' }),
};

/** A body that no variant of the operation accepts. */
export const badCalls: Readonly<
  Record<Exclude<OperationName, 'getAccount'>, (caller: Caller) => Promise<Answer>>
> = {
  addSeoKeywords: (caller) => caller.keywords('demo-site', { keywords: [] }),
  readChat: (caller) => caller.read({ resource: 'other' }),
  changeChat: (caller) => caller.apply({ action: 'other' }),
  readStudio: (caller) => caller.studio({ resource: 'other' }),
};

type Cause = (service: Service) => Promise<Answer>;

async function getWebsite({ caller }: Service): Promise<string> {
  return (await caller.studio({ resource: 'projects', query: 'website' })).body.projects[0]?.id ?? '';
}

/** Causes of statuses: clauses, operation, status, code, description, and a function that causes it. */
export const causes: readonly (readonly [string, OperationName, number, string, string, Cause])[] = [
  [
    '4.2.15, 7.2.2',
    'addSeoKeywords',
    400,
    'KEYWORD_LIMIT_EXCEEDED',
    'the site is full',
    async ({ caller }) => {
      const of = (from: number) => ({ keywords: Array.from({ length: 50 }, (_, i) => `k${from + i}`) });
      await caller.keywords('demo-blog', of(0));
      await caller.keywords('demo-blog', of(50));
      return caller.keywords('demo-blog', { keywords: ['one more'] });
    },
  ],
  [
    '4.2.18, 7.2.7',
    'addSeoKeywords',
    404,
    'NOT_FOUND',
    'the site belongs to another organization or does not exist',
    ({ caller }) => caller.keywords('another-site', { keywords: ['x'] }),
  ],
  [
    '4.3.31, 7.2.5',
    'readChat',
    404,
    'RUNTIME_UNAVAILABLE',
    'the runtime is down',
    ({ mock, caller }) => {
      mock.patchOrganization({ runtime: 'down' });
      return calls.readChat(caller);
    },
  ],
  [
    '4.3.32, 7.2.5',
    'readChat',
    404,
    'NOT_FOUND',
    'there is no such record',
    ({ caller }) => caller.read({ resource: 'tags', id: nobody }),
  ],
  [
    '4.4.40, 7.2.5',
    'changeChat',
    404,
    'NOT_FOUND',
    'there is no such record',
    ({ caller }) =>
      caller.apply({
        action: 'update-tags',
        id: nobody,
        expectedRevision: '0'.repeat(64),
        expectedLabel: 'x',
        data: data.tags,
      }),
  ],
  [
    '4.4.41, 7.2.8',
    'changeChat',
    409,
    'STALE_REVISION',
    'a rival was faster',
    async ({ mock, caller }) => {
      const tag = (await caller.read({ resource: 'tags', id: vip })).body.record;
      mock.edit({ resource: 'tags', id: vip, data: { color: 'brown' } });
      return caller.apply({ action: 'update-tags', id: vip, ...createGuard(tag), data: data.tags });
    },
  ],
  [
    '4.4.42, 7.2.8',
    'changeChat',
    409,
    'INPUT_CONFLICT',
    'the operationId was used with a different input',
    async ({ caller }) => {
      await caller.change(nobody, change);
      return caller.change(nobody, { ...change, data: { ...data.tags, name: 'other' } });
    },
  ],
  [
    '4.4.43, 7.2.8',
    'changeChat',
    409,
    'OPERATION_UNCERTAIN',
    'the outcome of the first attempt is unknown',
    async ({ mock, caller }) => {
      mock.faults.arm({ effect: 'uncertain', answer: 500 });
      await caller.change(nobody, change);
      return caller.change(nobody, change);
    },
  ],
  [
    '4.4.46, 7.2.11',
    'changeChat',
    502,
    'RUNTIME_UNAVAILABLE',
    'the runtime is down',
    ({ mock, caller }) => {
      mock.patchOrganization({ runtime: 'down' });
      return calls.changeChat(caller);
    },
  ],
  [
    '4.5.40, 7.2.6',
    'readStudio',
    404,
    'NOT_FOUND',
    'Studio is switched off',
    ({ mock, caller }) => {
      mock.patchOrganization({ studio: false });
      return calls.readStudio(caller);
    },
  ],
  [
    '4.5.41, 7.2.6',
    'readStudio',
    404,
    'NOT_FOUND',
    'there is no such project',
    ({ caller }) => caller.studio({ resource: 'documents', projectId: nobody }),
  ],
  [
    '4.5.42, 7.2.6',
    'readStudio',
    404,
    'NOT_FOUND',
    'the project has no such document',
    async (service) =>
      service.caller.studio({
        resource: 'document',
        projectId: await getWebsite(service),
        documentId: nobody,
      }),
  ],
  [
    '4.5.45, 7.2.11',
    'readStudio',
    502,
    'RUNTIME_UNAVAILABLE',
    'the runtime is down',
    ({ mock, caller }) => {
      mock.patchOrganization({ runtime: 'down' });
      return calls.readStudio(caller);
    },
  ],
];
