import { documentKinds, records } from '@orgchat/spec';
import * as z from 'zod';
import { injectFriend, injectMessage } from '../../inject/friends.ts';
import { injectionSchemas } from '../../inject/schemas.ts';
import { injectSite } from '../../inject/sites-and-keys.ts';
import { injectDocument, injectProject } from '../../inject/studio.ts';
import { injectClick, injectSubmission } from '../../inject/submissions-and-clicks.ts';
import { inject } from '../../inject/target.ts';
import { organizationQuery } from '../../input-checks/find-organization.ts';
import type { ControlCalls } from '../call.ts';

/* What happens outside the API: friends who write, forms that are sent. Keys are in keys.ts. */

export const injectionCalls = {
  addFriend: {
    method: 'POST',
    path: '/friends',
    status: 201,
    query: organizationQuery,
    body: () => injectionSchemas().friend,
    bodyRequired: true,
    tag: 'Records',
    summary: 'Add a friend',
    description: 'Ids and times may be omitted. Nothing enrolls, tags or notifies.',
    errors: [404, 409],
    example: { displayName: 'Mio Sato' },
    answer: () => records.friends,
    mock: 'inject.friend',
    run: ({ world }, input, options = {}) =>
      inject(world, 'friends', '/friends', () => injectFriend(world, input, options)),
  },
  addMessage: {
    method: 'POST',
    path: '/friends/{accountId}/{userId}/messages',
    status: 201,
    query: organizationQuery,
    body: () => injectionSchemas().message,
    bodyRequired: true,
    tag: 'Records',
    summary: 'Add a message to the conversation with a friend',
    description: 'The conversation becomes the newest. No revision changes.',
    parameters: {
      accountId: { description: 'The id of an account, or its name in a seed.', example: 'main' },
      userId: { description: 'The id of a friend, or the name in a seed.', example: 'aiko' },
    },
    errors: [404, 409],
    example: { text: 'Are you open today?' },
    answer: () => records.messages,
    mock: 'inject.message',
    run: ({ world }, friend, input, options = {}) =>
      inject(world, 'messages', `/friends/${friend.accountId}/${friend.userId}/messages`, () =>
        injectMessage(world, friend, input, options),
      ),
    toArguments: ({ parameters: [accountId = '', userId = ''], body, query }) => [
      { accountId, userId },
      body,
      query,
    ],
  },
  addSubmission: {
    method: 'POST',
    path: '/forms/{formId}/submissions',
    status: 201,
    query: organizationQuery,
    body: () => injectionSchemas().submission,
    bodyRequired: true,
    tag: 'Records',
    summary: 'Add a form submission',
    description: 'Default: from the newest friend.',
    parameters: { formId: { description: 'The id of a form, or its name in a seed.', example: 'survey' } },
    errors: [404, 409],
    example: { values: { answer: 'Yes' } },
    answer: () => records['form-submissions'],
    mock: 'inject.submission',
    run: ({ world }, formId, input, options = {}) =>
      inject(world, 'form-submissions', `/forms/${formId}/submissions`, () =>
        injectSubmission(world, formId, input, options),
      ),
  },
  addClick: {
    method: 'POST',
    path: '/links/{linkId}/clicks',
    status: 201,
    query: organizationQuery,
    body: () => injectionSchemas().click,
    tag: 'Records',
    summary: 'Add a link click',
    description: 'A link click. Default: by an unknown visitor, now.',
    parameters: {
      linkId: { description: 'The id of a link, or its name in a seed.', example: 'spring-page' },
    },
    errors: [404, 409],
    example: { clickedAt: '2999-01-01T00:00:00.000Z' },
    answer: () => records['link-clicks'],
    mock: 'inject.click',
    run: ({ world }, linkId, input = {}, options = {}) =>
      inject(world, 'link-clicks', `/links/${linkId}/clicks`, () =>
        injectClick(world, linkId, input, options),
      ),
  },
  addProject: {
    method: 'POST',
    path: '/studio/projects',
    status: 201,
    query: organizationQuery,
    body: () => injectionSchemas().project,
    bodyRequired: true,
    tag: 'Records',
    summary: 'Add a Studio project',
    errors: [404, 409],
    example: { name: 'Autumn campaign' },
    answer: () =>
      z
        .object({
          id: z.string(),
          name: z.string(),
          description: z.string(),
          archived: z.boolean(),
          updatedAt: z.string().meta({ format: 'date-time' }),
        })
        .meta({ id: 'InjectedProject', description: 'A Studio project.' }),
    mock: 'inject.project',
    run: ({ world }, input, options = {}) =>
      inject(world, 'projects', '/studio/projects', () => injectProject(world, input, options)),
  },
  addDocument: {
    method: 'POST',
    path: '/studio/projects/{projectId}/documents',
    status: 201,
    query: organizationQuery,
    body: () => injectionSchemas().document,
    bodyRequired: true,
    tag: 'Records',
    summary: 'Add a document to a Studio project',
    parameters: {
      projectId: { description: 'The id of a project, or its name in a seed.', example: 'website' },
    },
    errors: [404, 409],
    example: { title: 'Colors', kind: 'brand', body: '# Colors' },
    answer: () =>
      z
        .object({
          id: z.string(),
          title: z.string(),
          kind: z.enum(documentKinds),
          updatedAt: z.string().meta({ format: 'date-time' }),
          body: z.string(),
        })
        .meta({ id: 'InjectedDocument', description: 'A Studio document with its body.' }),
    mock: 'inject.document',
    run: ({ world }, projectId, input, options = {}) =>
      inject(world, 'documents', `/studio/projects/${projectId}/documents`, () =>
        injectDocument(world, projectId, input, options),
      ),
  },
  addSite: {
    method: 'POST',
    path: '/sites',
    status: 201,
    query: organizationQuery,
    body: () => injectionSchemas().site,
    tag: 'Records',
    summary: 'Add a site',
    errors: [404, 409],
    example: { keywordLimit: 50 },
    answer: () =>
      z
        .object({ id: z.string(), name: z.string(), keywordLimit: z.int().min(0) })
        .meta({ id: 'SiteEntry', description: 'A site without its keywords.' }),
    mock: 'inject.site',
    run: ({ world }, input = {}, options = {}) =>
      inject(world, 'sites', '/sites', () => injectSite(world, input, options)),
  },
} as const satisfies ControlCalls;
