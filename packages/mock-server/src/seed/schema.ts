import {
  configurationData,
  documentKinds,
  text as freeText,
  friendStatuses,
  limits,
  patterns,
  readMoment,
  records,
} from '@orgchat/spec';
import * as z from 'zod';
import { memoize } from '../memoize.ts';
import { toIsoString } from '../primitives/clock.ts';
import { onDeleteModes } from '../records/on-delete.ts';

/*
 * The format of seeds (docs/seeds.md). The shapes of data come from the contract; this file combines them into organizations
 * and sets the defaults.
 */

/** The default plans of a seed (D33). */
export const defaultPlans = {
  free: { apiAccess: false, monthlyRequests: 0 },
  starter: { apiAccess: true, monthlyRequests: 10_000 },
  business: { apiAccess: true, monthlyRequests: 100_000 },
  enterprise: { apiAccess: true, monthlyRequests: 1_000_000 },
};

/** Matches most date-times in the form of the contract: to parse those of a million records takes seconds. */
const normalMoment =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const isNormal = (value: string): boolean => normalMoment.test(value);

/** The schemas of seeds, which saved states extend. */
export const seedSchemas = memoize(() => {
  /** A date and time, normalized to the form of the contract. */
  const moment = z.string().check((ctx) => {
    if (isNormal(ctx.value)) return;
    const read = readMoment(ctx.value);
    if (read.problem === undefined) ctx.value = toIsoString(read.at);
    else ctx.issues.push({ code: 'custom', message: read.problem, input: ctx.value });
  });

  const uuid = records.accounts.shape.id;
  const { userId } = records.friends.shape;
  const text = (max: number) => freeText(1, max);
  const count = z.int().min(0);

  /** Optional fields of every record, which a saved state always has. */
  const kept = {
    createdAt: moment.optional(),
    updatedAt: moment.optional(),
    /** The version of the record, from 1. */
    version: z.int().min(1).optional(),
  };

  const configuration = <S extends z.ZodRawShape>(data: z.ZodObject<S>) =>
    z.strictObject({ id: uuid.optional(), ...data.shape, ...kept });

  const submission = z.strictObject({
    id: uuid.optional(),
    accountId: uuid,
    userId,
    values: records['form-submissions'].shape.values,
    submittedAt: moment,
  });

  const click = z.strictObject({
    id: uuid.optional(),
    accountId: uuid.nullable().default(null),
    userId: userId.nullable().default(null),
    clickedAt: moment,
  });

  const automation = records['friend-automations'];

  const message = z.strictObject({
    id: uuid.optional(),
    direction: records.messages.shape.direction,
    text: z.string(),
    sentAt: moment,
  });

  const enrollment = z.strictObject({
    id: uuid.optional(),
    scenarioId: uuid,
    scenarioName: z.string().optional(),
    status: automation.shape.status.default('active'),
    nextStep: count.default(0),
    enrolledAt: moment,
  });

  const friend = z.strictObject({
    accountId: uuid,
    userId,
    displayName: text(limits.expectedLabelLength),
    status: z.enum(friendStatuses).default('unread'),
    notes: z.string().trim().nullable().default(null),
    tagIds: z.array(uuid).default([]),
    ...kept,
    messages: z.array(message).default([]),
    automations: z.array(enrollment).default([]),
  });

  const document = z.strictObject({
    id: uuid.optional(),
    title: text(200),
    kind: z.enum(documentKinds),
    updatedAt: moment,
    body: z.string(),
  });

  const project = z.strictObject({
    id: uuid.optional(),
    name: text(200),
    description: z.string().default(''),
    archived: z.boolean().default(false),
    updatedAt: moment,
    documents: z.array(document).default([]),
  });

  const key = z.strictObject({
    key: z.string().refine((value) => patterns.apiKey.test(value), 'must be printable ASCII without spaces'),
    name: text(100),
    scope: z.enum(['read', 'write']),
    revoked: z.boolean().default(false),
    suspended: z.boolean().default(false),
    editor: z.boolean().default(true),
    accountIds: z.array(uuid).nullable().default(null),
  });

  const keyword = z.strictObject({
    keyword: text(limits.siteKeywordLength),
    group: freeText(0, limits.siteKeywordGroupLength).nullable().default(null),
    addedAt: moment.optional(),
  });

  const site = z.strictObject({
    id: z.string().min(1),
    name: z.string().optional(),
    keywordLimit: count.default(1000),
    /** A keyword alone, or with its group. */
    keywords: z.array(z.union([text(limits.siteKeywordLength), keyword])).default([]),
  });

  const plan = z.strictObject({
    apiAccess: z.boolean().default(true),
    monthlyRequests: count,
    /** Maximum number of keywords on all sites together; without it, only the limits of the sites apply. */
    keywords: count.optional(),
  });

  const organization = z.strictObject({
    id: text(100),
    name: z.string().optional(),
    plan: z.string().default('business'),
    runtime: z.enum(['up', 'down']).default('up'),
    studio: z.boolean().default(true),
    deleted: z.boolean().default(false),
    credits: z
      .strictObject({
        allowance: z.number().min(0),
        used: z.number().min(0).default(0),
        resetsAt: moment.optional(),
      })
      .default({ allowance: 1000, used: 0 }),
    keys: z.array(key).default([]),
    sites: z.array(site).default([]),
    accounts: z
      .array(z.strictObject({ id: uuid.optional(), name: text(100), createdAt: moment.optional() }))
      .default([]),
    tags: z.array(configuration(configurationData.tags)).default([]),
    templates: z.array(configuration(configurationData.templates)).default([]),
    'auto-replies': z.array(configuration(configurationData['auto-replies'])).default([]),
    scenarios: z.array(configuration(configurationData.scenarios)).default([]),
    forms: z
      .array(configuration(configurationData.forms).extend({ submissions: z.array(submission).default([]) }))
      .default([]),
    'rich-menus': z.array(configuration(configurationData['rich-menus'])).default([]),
    links: z
      .array(configuration(configurationData.links).extend({ clicks: z.array(click).default([]) }))
      .default([]),
    routes: z.array(configuration(configurationData.routes)).default([]),
    broadcasts: z.array(configuration(configurationData.broadcasts)).default([]),
    friends: z.array(friend).default([]),
    projects: z.array(project).default([]),
    /** Ids that records refer to although no record has them: the service keeps references to deleted records. */
    missingIds: z.array(uuid).optional(),
  });

  const seedDocument = z.strictObject({
    format: z.literal('orgchat-seed').default('orgchat-seed'),
    version: z.literal(1).default(1),
    plans: z.record(z.string(), plan).default(defaultPlans),
    onDelete: z.enum(onDeleteModes).optional(),
    organizations: z.array(organization).min(1),
  });

  const parts = { friend, message, enrollment, submission, click, project, document, key, site, keyword };
  return { plan, organization, seedDocument, parts };
});

type Schemas = ReturnType<typeof seedSchemas>;

/** A seed with all defaults filled in. */
export type CompleteSeed = z.output<Schemas['seedDocument']>;
export type SeedOrganization = z.output<Schemas['organization']>;
export type SeedFriend = SeedOrganization['friends'][number];
