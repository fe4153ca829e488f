import type { Choices } from './members/axes.ts';
import { type Resource, resources } from './server/inputs.ts';
import { type Data, type Organization, type Stored, toStored } from './server/organization.ts';

/* What every server of the family stores at first. */

/** The id of a record: `number` counts within `kind`. */
export const idOf = (kind: string, number = 1): string =>
  `${Buffer.from(kind.padEnd(4).slice(0, 4)).toString('hex')}-0000-4000-8abc-${number.toString(16).padStart(12, '0')}`;
const at = (day: number): string => new Date(Date.UTC(2026, 0, 1 + day, 9)).toISOString();

const account = idOf('accounts');
const otherAccount = idOf('accounts', 2);
const tag = idOf('tags');
const scenario = idOf('scenarios');
const userId = (number: number): string => `U${number.toString(16).padStart(32, '0')}`;
export const friends = [1, 2, 3].map((number) => ({ accountId: account, userId: userId(number) }));

const card = {
  type: 'card',
  altText: 'Two cards',
  color: null,
  cards: [
    {
      imageId: null,
      title: 'Menu',
      text: '',
      buttons: [
        { label: 'Open', action: { type: 'uri', uri: `{link:${idOf('links')}}` } },
        { label: 'Ask', action: { type: 'message', text: 'Menu please' } },
      ],
    },
  ],
};
const blocks = [{ type: 'text', text: 'Hello' }, { type: 'image', imageId: idOf('imag') }, card];
/** A block that other programs of the service write, and the contract does not have. */
const sticker = { type: 'sticker', packageId: '11537', stickerId: '52002734' };

const step = { delayValue: 1, delayUnit: 'days', sendTime: '09:30', text: 'Good morning' };
const laterStep = { ...step, sendTime: null, content: blocks, timingMode: 'elapsed', nextStepOnFalse: null };
const field = { key: 'mail', label: 'Mail', type: 'email', required: true, options: [], placeholder: '' };
const area = { x: 0, y: 0, width: 1250, height: 843 };
const opens = { ...area, action: { type: 'uri', uri: 'https://example.com', label: 'Open' } };
const nothing = { tagId: null, scenarioId: null };

/** Two records of each resource: with all that is optional or may be null, and without. */
const data = (contentBlocks: readonly object[]): Record<Resource, readonly Data[]> => ({
  tags: Array.from({ length: 45 }, (_, number) => ({ name: `Tag ${number + 1}`, color: 'blue' })),
  templates: [
    { name: 'Welcome', text: 'Thank you.' },
    { name: 'Hours', text: 'We open at nine.' },
  ],
  'auto-replies': [
    ...[
      { keyword: 'menu', accountId: account, content: contentBlocks },
      { keyword: 'hours', accountId: null },
    ],
  ].map((own) => ({ matchType: 'contains', responseText: 'Here it is.', active: true, ...own })),
  scenarios: [
    {
      ...{ name: 'First week', accountId: account, trigger: 'tag', triggerTagId: tag, active: true },
      steps: [
        { ...step, condition: { type: 'tag_exists', tagId: tag } },
        { ...laterStep, content: contentBlocks, condition: null },
      ],
    },
    {
      ...{ name: 'Follow', accountId: null, trigger: 'follow', triggerTagId: null, active: false },
      steps: [step, { ...laterStep, condition: { type: 'metadata_equals', key: 'city', value: '' } }],
    },
  ],
  forms: [
    { name: 'Survey', submitTagId: tag, submitScenarioId: scenario, fields: [field] },
    {
      ...{ name: 'Contact', submitTagId: null, submitScenarioId: null },
      fields: [{ ...field, key: 'size', type: 'select', options: ['S', 'M'] }, field],
    },
  ].map((own) => ({
    ...{ accountId: account, title: 'Ask us', description: '', saveToProfile: true },
    ...{ thanksText: 'Thank you.', active: true, ...own },
  })),
  'rich-menus': [
    {
      name: 'Main',
      areas: [opens, { ...area, action: { type: 'switch', menuId: idOf('rich-menus', 2), label: 'More' } }],
      design: { style: 'cards', color: '#1f6feb', areas: [{ icon: null, caption: 'Open' }] },
    },
    { name: 'More', areas: [{ ...area, action: { type: 'message', text: 'Hi', label: 'Say' } }] },
  ].map((own) => ({ accountId: account, chatBarText: 'Menu', size: 'large', template: 'two', ...own })),
  links: [
    { name: 'Spring', url: 'https://example.com/spring', tagId: tag, scenarioId: scenario },
    { name: 'Home', url: 'https://example.com', ...nothing },
  ],
  routes: [
    { accountId: account, name: 'Counter', tagId: tag, scenarioId: scenario },
    { accountId: otherAccount, name: 'Poster', ...nothing },
  ],
  broadcasts: [
    { title: 'Spring news', target: 'tags', tagIds: [tag], accountIds: [account, otherAccount] },
    { title: 'Hello', target: 'all', tagIds: [], messages: blocks },
  ].map((own) => ({ accountId: account, messages: contentBlocks, scheduledAt: null, ...own })),
});

function createRecords(blocksOf: readonly object[]): Organization['records'] {
  const all = data(blocksOf);
  const store = (resource: Resource): Stored[] =>
    all[resource].map((one, number) =>
      toStored(
        resource,
        { identity: { id: idOf(resource, number + 1) }, createdAt: at(number) },
        one,
        'first',
      ),
    );
  const configurations = Object.fromEntries(resources.map((resource) => [resource, store(resource)]));
  const friendData = [
    { displayName: 'Aki', status: 'unread', notes: 'Likes tea', tagIds: [tag] },
    { displayName: 'Ben', status: 'resolved', notes: null, tagIds: [] },
    { displayName: 'Chie', status: 'in_progress', notes: '', tagIds: [tag, idOf('tags', 2)] },
  ];
  const stored = friendData.map((one, number) => {
    const identity = friends[number] as (typeof friends)[number];
    return toStored('friends', { identity, createdAt: at(number) }, one, 'first');
  });
  return { ...configurations, friends: stored } as Organization['records'];
}

const events: Organization['events'] = {
  accounts: [
    { id: account, name: 'Shop', createdAt: at(0) },
    { id: otherAccount, name: 'Salon', createdAt: at(1) },
  ],
  conversations: [
    { ...friends[0], displayName: 'Aki', status: 'unread', lastMessageText: 'Hi', lastMessageAt: at(9) },
  ],
  messages: [
    { id: idOf('mess'), ...friends[0], direction: 'outgoing', text: 'Hello', sentAt: at(8) },
    { id: idOf('mess', 2), ...friends[0], direction: 'incoming', text: 'Hi', sentAt: at(9) },
  ],
  'form-submissions': [
    {
      id: idOf('subm'),
      formId: idOf('forms'),
      ...friends[0],
      values: { mail: 'aki@example.com' },
      submittedAt: at(7),
    },
  ],
  'friend-automations': [
    {
      ...{ id: idOf('auto'), ...friends[0], scenarioId: scenario, scenarioName: 'First week' },
      ...{ status: 'active', nextStep: 1, enrolledAt: at(6) },
    },
  ],
  'link-clicks': [{ id: idOf('clic'), linkId: idOf('links'), ...friends[0], clickedAt: at(5) }],
};

const project = { id: idOf('proj'), name: 'Brand', description: '', archived: false, updatedAt: at(3) };
const document = { id: idOf('docu'), projectId: project.id, title: 'Voice', kind: 'brand', updatedAt: at(4) };

/** Makes a value and everything in it unchangeable. */
function freezeAll<T>(value: T): T {
  for (const inner of Object.values(value ?? {})) if (typeof inner === 'object') freezeAll(inner);
  return Object.freeze(value);
}

const known = freezeAll(createRecords(blocks));
const withUnknown = freezeAll(createRecords([...blocks, sticker]));
const otherLists = freezeAll({ events, projects: [project], documents: [{ ...document, body: '# Voice' }] });

/** Lists of their own, with the same records. */
const copyLists = <T extends Readonly<Record<string, readonly unknown[]>>>(lists: T): T =>
  Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list]])) as unknown as T;

/** The data of the first record of a resource, in words of the contract. */
export const knownData = (resource: Resource): Data => known[resource][0]?.data ?? {};

/**
 * The organization of a member before its first use. Its lists are its own. All organizations share their first records, which
 * are frozen: to copy them for each use would take longer than the uses.
 */
export const createOrganization = ({ blocks: kind }: Choices): Organization => ({
  ...otherLists,
  records: copyLists(kind === 'unknown' ? withUnknown : known),
  events: copyLists(otherLists.events),
  keywords: ['spring'],
});
