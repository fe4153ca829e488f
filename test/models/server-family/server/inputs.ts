import { type Fields, type Notation, Union } from './check-input.ts';

/* The request bodies of spec/SPECIFICATION.md, sections 4 and 5. */

const name = 'text 1 100';
const long = 'text 1 5000';
const label = 'text 1 20';
const says = 'text 1 300';
const tagIds: Notation = ['uuid', 0, 50];

const action = new Union('type', { uri: { uri: 'uri' }, message: { text: says } });
const buttons: Notation = [{ label, action }, 0, 3];
const card = { 'imageId~': 'uuid', title: 'text 1 40', text: 'text 0 300', buttons };
const block = new Union('type', {
  text: { text: long },
  image: { imageId: 'uuid' },
  card: { altText: 'text 1 400', 'color~': 'color', cards: [card, 1, 10] },
});
const blocks: Notation = [block, 1, 5];

const metadata = { key: name, value: 'text 0 1000' };
const tag = { tagId: 'uuid' };
const equals = { metadata_equals: metadata, metadata_not_equals: metadata };
const condition = new Union('type', { tag_exists: tag, tag_not_exists: tag, ...equals });
const delay = { delayValue: 'integer 0 525600', delayUnit: 'one minutes hours days', 'sendTime~': 'time' };
const branch = { 'condition?~': condition, 'nextStepOnFalse?~': 'integer 0 19' };
const timingMode = 'one relative elapsed absolute_time';
const step = { ...delay, text: long, 'content?': blocks, 'timingMode?': timingMode, ...branch };

const type = 'one text textarea email tel number select radio checkbox date';
const options: Notation = [name, 0, 30];
const field = { key: 'key', label: name, type, required: 'boolean', options, placeholder: 'text 0 100' };
const formTexts = { title: name, description: 'text 0 1000', thanksText: 'text 0 5000' };
const submit = { 'submitTagId~': 'uuid', 'submitScenarioId~': 'uuid', saveToProfile: 'boolean' };

const areaAction = new Union('type', {
  ...{ uri: { uri: 'uri', label }, message: { text: says, label }, switch: { menuId: 'uuid', label } },
});
const point = { x: 'integer 0', y: 'integer 0', width: 'integer 1', height: 'integer 1' };
const areas: Notation = [{ ...point, action: areaAction }, 1, 20];
const captions: Notation = [{ 'icon~': 'text 0 100', caption: 'text 0 30' }, 0, 20];
const design = { style: 'one tiles cards bold', color: 'color', areas: captions };
const menu = { chatBarText: 'text 1 14', size: 'one large compact', template: name };

const targets = { 'tagId~': 'uuid', 'scenarioId~': 'uuid' };
const reply = { keyword: name, matchType: 'one contains exact', responseText: long };
const trigger = { trigger: 'one follow tag manual', 'triggerTagId~': 'uuid' };
const accountIds: Notation = ['uuid', 2, 10];
const audience = { target: 'one all tags', tagIds, 'scheduledAt~': 'null', 'accountIds?~': accountIds };

/** The `data` of each configuration resource. */
export const dataNotations = {
  tags: { name, color: 'one neutral blue purple brown pink orange green' },
  templates: { name, text: long },
  'auto-replies': { 'accountId~': 'uuid', ...reply, 'content?': blocks, active: 'boolean' },
  scenarios: { name, 'accountId~': 'uuid', ...trigger, active: 'boolean', steps: [step, 1, 20] },
  forms: { accountId: 'uuid', name, ...formTexts, fields: [field, 1, 30], ...submit, active: 'boolean' },
  'rich-menus': { accountId: 'uuid', name, ...menu, areas, 'design?~': design },
  links: { name, url: 'url', ...targets },
  routes: { accountId: 'uuid', name, ...targets },
  broadcasts: { accountId: 'uuid', title: name, messages: blocks, ...audience },
} as const satisfies Record<string, Fields>;
export type Resource = keyof typeof dataNotations;
export const resources = Object.keys(dataNotations) as Resource[];
/** Unlike the data of configurations, a part of it may be sent. */
const friendData = { 'notes?~': 'text 0 2000', 'status?': 'one unread in_progress resolved' };

const friend = { accountId: 'uuid', userId: 'friend' };
const page = { 'offset?': 'integer 0 1000000', 'limit?': 'integer 1 50' };
const guards = { expectedRevision: 'rev', expectedLabel: 'text 0 200' };
const forEach = (prefix: string, fields: (resource: Resource) => Fields): Fields =>
  Object.fromEntries(resources.map((resource) => [`${prefix}${resource}`, fields(resource)]));
const deletable = `one ${resources.filter((resource) => resource !== 'rich-menus').join(' ')}`;
const search = { 'query?': 'text 0 100', 'cursor?': 'text 0 80' };
const kind = 'one specification brand component note';

/** The body of each endpoint. */
export const bodies = {
  read: new Union('resource', {
    ...{ accounts: {}, ...forEach('', () => ({ 'id?': 'uuid', ...page })) },
    friends: { 'accountId?': 'uuid', 'userId?': 'friend', 'search?': 'text 0 100', ...page },
    ...{ conversations: { 'accountId?': 'uuid' }, messages: { ...friend, 'limit?': 'integer 1 50' } },
    ...{ 'form-submissions': { id: 'uuid' }, 'friend-automations': friend, 'link-clicks': { id: 'uuid' } },
  }),
  change: {
    operationId: 'uuid',
    change: new Union('action', {
      ...forEach('create-', (resource) => ({ data: dataNotations[resource] })),
      ...forEach('update-', (resource) => ({ id: 'uuid', ...guards, data: dataNotations[resource] })),
      'delete-configuration': { resource: deletable, id: 'uuid', ...guards },
      'update-friend': { ...friend, ...guards, data: friendData },
      'set-friend-tags': { ...friend, ...guards, tagIds },
      'enroll-scenario': { ...friend, scenarioId: 'uuid' },
    }),
  },
  studio: new Union('resource', {
    projects: { ...search, 'archived?': 'boolean' },
    documents: { ...search, projectId: 'uuid', 'kind?': kind },
    document: { projectId: 'uuid', documentId: 'uuid' },
  }),
  keywords: { keywords: ['text 1 80', 1, 50], 'group?': 'text 0 30' },
} as const satisfies Record<string, Notation>;
