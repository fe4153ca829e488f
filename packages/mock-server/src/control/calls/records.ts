import * as z from 'zod';
import { notFound } from '../../input-checks/control-error.ts';
import {
  filterByOrganization,
  findOrganization,
  organizationFilter,
  organizationQuery,
} from '../../input-checks/find-organization.ts';
import { stateSchemas } from '../../seed/state-schema.ts';
import type { ControlCalls } from '../call.ts';
import { listOperations, nameNotification } from '../named-lists.ts';
import { listRecords, recordsPage } from '../records.ts';

/* Records, and what the API does not show. */

export const recordCalls = {
  listOperations: {
    method: 'GET',
    path: '/operations',
    query: organizationQuery,
    tag: 'Records',
    summary: 'Changes by their operationId',
    errors: [404],
    answer: () => {
      const operation = z
        .object({
          state: z.enum(['running', 'applied', 'uncertain', 'refused']),
          operationId: z.string(),
          action: z.string(),
          recordName: z.string().nullable().meta({
            description: 'The name of the record when it was changed; null if nobody knows it.',
          }),
          requestId: z.string(),
          createdAt: z.string().meta({ format: 'date-time' }),
          resolution: z.unknown().optional().meta({
            description: 'When an uncertain operation is resolved: "never", { afterRequests } or { at }.',
          }),
          auditRecorded: z.boolean().nullable(),
          result: z
            .unknown()
            .meta({ description: 'The result in the stored answer; null if there is none.' }),
        })
        .meta({ id: 'ChangeOperation', description: 'A change, by its operationId.' });
      return z.object({ operations: z.array(operation) }).meta({ id: 'OperationList' });
    },
    mock: 'operations',
    run: ({ world }, options = {}) => listOperations(world, options),
    toAnswer: (operations) => ({ operations }),
  },
  listAudit: {
    method: 'GET',
    path: '/audit',
    query: organizationFilter,
    tag: 'Records',
    summary: 'The audit log',
    errors: [404],
    answer: () => {
      const entry = stateSchemas().auditEntry.meta({ id: 'AuditEntry', description: 'One applied change.' });
      return z.object({ audit: z.array(entry) }).meta({ id: 'AuditList' });
    },
    mock: 'audit',
    run: ({ world }, options = {}) => filterByOrganization(world, world.audit.values(), options),
    toAnswer: (audit) => ({ audit }),
  },
  listNotifications: {
    method: 'GET',
    path: '/notifications',
    query: organizationFilter,
    tag: 'Records',
    summary: 'Notifications that the service may send',
    errors: [404],
    answer: () => {
      const name = z.string().nullable();
      const notification = stateSchemas()
        .notification.extend({
          friendName: name.meta({ description: 'The display name that the friend has now.' }),
          addedTagNames: z.array(name).optional().meta({
            description: 'The names of the tags. A deleted one has its last name, null if nobody knows it.',
          }),
          removedTagNames: z.array(name).optional(),
          scenarioName: name.optional(),
          deletedIds: z.array(z.string()).meta({
            description: 'The ids of its tags and its scenario that do not exist any more.',
          }),
        })
        .meta({
          id: 'Notification',
          description: 'A notification that the service may send; the mock records it and sends nothing.',
        });
      return z.object({ notifications: z.array(notification) }).meta({ id: 'NotificationList' });
    },
    mock: 'notifications',
    run: ({ world }, options = {}) =>
      filterByOrganization(world, world.notifications.values(), options).map((notification) =>
        nameNotification(world, notification),
      ),
    toAnswer: (notifications) => ({ notifications }),
  },
  listKeywords: {
    method: 'GET',
    path: '/sites/{siteId}/keywords',
    query: organizationQuery,
    tag: 'Records',
    summary: 'The keywords of a site',
    parameters: { siteId: { description: 'The id of a site.', example: 'demo-site' } },
    errors: [404],
    answer: () => {
      const keyword = z
        .object({
          keyword: z.string(),
          group: z.string().nullable(),
          addedAt: z.string().meta({ format: 'date-time' }),
        })
        .meta({ id: 'Keyword', description: 'A keyword of a site.' });
      return z.object({ keywords: z.array(keyword) }).meta({ id: 'KeywordList' });
    },
    mock: 'keywords',
    run: ({ world }, siteId, options = {}) => {
      const { sites, stored } = findOrganization(world, options);
      if (!sites.has(siteId)) throw notFound(`site ${siteId}`, `Sites: ${[...sites.keys()].join(', ')}.`);
      return stored.keywords.list(siteId);
    },
    toAnswer: (keywords) => ({ keywords }),
  },
  listRecords: {
    method: 'GET',
    path: '/records',
    query: recordsPage,
    tag: 'Records',
    summary: 'The records of a resource, newest first',
    description: 'Includes records that no key can read.',
    errors: [404],
    answer: () =>
      z
        .object({
          records: z.array(z.record(z.string(), z.unknown())),
          total: z.int().min(0).meta({ description: 'Number of records on all pages.' }),
        })
        .meta({ id: 'RecordList', description: 'Records as the API shows them, newest first.' }),
    mock: 'records',
    run: ({ world }, query) => listRecords(world, query),
  },
} as const satisfies ControlCalls;
