import { documentKinds, records } from '@orgchat/spec';
import * as z from 'zod';
import type { ControlCallName } from '../src/control/calls.ts';
import { keySettings } from './control-answers.ts';

/* The answers of the calls that list and inject records. A running mock loads nothing of this. */

const text = z.string();
const moment = text.meta({ format: 'date-time' });
const count = z.int().min(0);

export const organizationEntry = z
  .object({
    id: text,
    name: text,
    plan: text,
    runtime: z.enum(['up', 'down']),
    studio: z.boolean(),
    deleted: z.boolean(),
    plans: z.array(text).meta({ description: 'The names of the plans that it can have.' }),
  })
  .meta({ id: 'OrganizationEntry', description: 'An organization in a list.' });

export const keyEntry = z
  .object({ key: text, ...keySettings.shape })
  .meta({ id: 'KeyEntry', description: 'A key with its text.' });

export const listedKey = z
  .object({
    ...keyEntry.shape,
    plan: text.meta({ description: 'The plan of its organization.' }),
    usage: z
      .object({
        lastMinute: count.meta({
          description: 'Requests of this key in the last minute; 0 if the mock does not limit them.',
        }),
        month: text.meta({ description: "The month of the mock's clock, such as 2026-04." }),
        thisMonth: count.meta({
          description: 'Requests of all keys of the organization in that month.',
        }),
        monthlyLimit: z.number().min(0).nullable().meta({
          description: 'The limit of thisMonth; null if there is none.',
        }),
      })
      .meta({ id: 'KeyUsage', description: 'How many requests of a key count for the limits.' }),
  })
  .meta({ id: 'ListedKey', description: 'A key with its text, and what counts for its limits.' });

export const keyword = z
  .object({ keyword: text, group: text.nullable(), addedAt: moment })
  .meta({ id: 'Keyword', description: 'A keyword of a site.' });

const project = z
  .object({ id: text, name: text, description: text, archived: z.boolean(), updatedAt: moment })
  .meta({ id: 'InjectedProject', description: 'A Studio project.' });

const document = z
  .object({ id: text, title: text, kind: z.enum(documentKinds), updatedAt: moment, body: text })
  .meta({ id: 'InjectedDocument', description: 'A Studio document with its body.' });

const site = z
  .object({ id: text, name: text, keywordLimit: count })
  .meta({ id: 'SiteEntry', description: 'A site without its keywords.' });

/** The schema of the success of each of these calls. */
export const recordAnswers = {
  listOrganizations: z
    .object({ organizations: z.array(organizationEntry) })
    .meta({ id: 'OrganizationList', description: 'In the order of the seed.' }),
  listKeys: z.object({ keys: z.array(listedKey) }).meta({ id: 'KeyList' }),
  listRecords: z
    .object({
      records: z.array(z.record(text, z.unknown())),
      total: count.meta({ description: 'Number of records on all pages.' }),
    })
    .meta({ id: 'RecordList', description: 'Records as the API shows them, newest first.' }),
  listKeywords: z.object({ keywords: z.array(keyword) }).meta({ id: 'KeywordList' }),
  addFriend: records.friends,
  addMessage: records.messages,
  addSubmission: records['form-submissions'],
  addClick: records['link-clicks'],
  addProject: project,
  addDocument: document,
  addSite: site,
  addKey: keyEntry,
} satisfies Partial<Readonly<Record<ControlCallName, z.ZodType>>>;
