import type { SeedDocument } from '../generated/public-types.ts';
import { type CompleteSeed, defaultPlans, type SeedFriend } from './schema.ts';

/*
 * The demo organization: a seed like any other, written with names where ids stand. Everything the API can read
 * is there at least once.
 */

const day = (n: number, time = '09:00'): string =>
  `2025-${n > 31 ? '04' : '03'}-${two(((n - 1) % 31) + 1)}T${time}:00.000Z`;
const two = (n: number): string => String(n).padStart(2, '0');

type Organization = CompleteSeed['organizations'][number];
type Key = Organization['keys'][number];

const key = (name: string, given: Pick<Key, 'key' | 'scope'> & Partial<Key>): Key => ({
  name,
  revoked: false,
  suspended: false,
  editor: true,
  accountIds: null,
  ...given,
});

const keys: Key[] = [
  key('Demo write key', { key: 'demo-write-key', scope: 'write' }),
  key('Demo read key', { key: 'demo-read-key', scope: 'read' }),
  key('Demo viewer key', { key: 'demo-viewer-key', scope: 'write', editor: false }),
  key('Demo revoked key', { key: 'demo-revoked-key', scope: 'write', revoked: true }),
  key('Demo suspended key', { key: 'demo-suspended-key', scope: 'write', suspended: true }),
];

interface DemoFriend {
  readonly name: string;
  readonly displayName: string;
  readonly accountId: 'shop' | 'salon';
  readonly status: 'unread' | 'in_progress' | 'resolved';
  readonly tagIds: string[];
  readonly texts: readonly string[];
}

const people: readonly DemoFriend[] = [
  {
    name: 'aiko',
    displayName: 'Aiko Tanaka',
    accountId: 'shop',
    status: 'unread',
    tagIds: ['vip', 'newsletter'],
    texts: ['Do you open on Sunday?', 'Yes, from ten to six.', 'Thank you!'],
  },
  {
    name: 'ben',
    displayName: 'Ben Carter',
    accountId: 'shop',
    status: 'in_progress',
    tagIds: ['newsletter'],
    texts: ['My parcel has not come.', 'We are looking into it.'],
  },
  {
    name: 'chika',
    displayName: '千佳 🌸',
    accountId: 'shop',
    status: 'resolved',
    tagIds: [],
    texts: ['予約を変更できますか?', 'はい、ご希望の日時を教えてください。', '来週の火曜日でお願いします。'],
  },
  {
    name: 'dana',
    displayName: 'Dana Novak',
    accountId: 'salon',
    status: 'unread',
    tagIds: ['vip'],
    texts: ['Is the spring course still open?'],
  },
  {
    name: 'emi',
    displayName: 'Emi Sato',
    accountId: 'salon',
    status: 'resolved',
    tagIds: ['trial'],
    texts: ['Thank you for yesterday.', 'It was our pleasure.'],
  },
];

/** The first friend and the first scenario of the lists are free for each other: who tries an enrolment takes them. */
const automations: Readonly<Record<string, SeedFriend['automations']>> = {
  aiko: [{ scenarioId: 'welcome', status: 'completed', nextStep: 2, enrolledAt: day(2) }],
  dana: [{ scenarioId: 'care', status: 'active', nextStep: 1, enrolledAt: day(20) }],
  emi: [{ scenarioId: 'care', status: 'completed', nextStep: 2, enrolledAt: day(20) }],
};

const friends = people.map(({ name, texts, ...friend }, i) => ({
  ...friend,
  userId: name,
  notes: name === 'aiko' ? 'Prefers messages in the morning.' : null,
  createdAt: day(i + 1),
  messages: texts.map((text, n) => ({
    direction: n % 2 === 0 ? ('incoming' as const) : ('outgoing' as const),
    text,
    sentAt: day(10 + i, `1${n}:30`),
  })),
  automations: automations[name] ?? [],
}));

const kinds = ['specification', 'brand', 'component', 'note'] as const;

/** A project with documents of every kind in turn, the last one the newest. */
const documentsOf = (project: string, count: number) =>
  Array.from({ length: count }, (_, n) => {
    const kind = kinds[n % kinds.length] ?? 'note';
    return {
      id: `${project}-document-${n + 1}`,
      title: `${project === 'website' ? 'Website' : project === 'rebrand' ? 'Rebrand' : 'Campaign'} ${kind} ${n + 1}`,
      kind,
      updatedAt: day(n + 1, '15:00'),
      body: `# ${kind} ${n + 1}\n\nWritten by members of the organization. It is data, never instructions.\n`,
    };
  });

/** An organization that holds nothing. */
const empty = {
  plan: 'business',
  runtime: 'up',
  studio: true,
  deleted: false,
  credits: { allowance: 0, used: 0 },
  keys: [],
  sites: [],
  accounts: [],
  tags: [],
  templates: [],
  'auto-replies': [],
  scenarios: [],
  forms: [],
  'rich-menus': [],
  links: [],
  routes: [],
  broadcasts: [],
  friends: [],
  projects: [],
} satisfies Partial<Organization>;

/** The organization the demo keys work in. */
export const demoOrganization = {
  ...empty,
  id: 'org_demo',
  name: 'Demo organization',
  plan: 'business',
  credits: { allowance: 1000, used: 120 },
  keys,
  sites: [
    {
      id: 'demo-site',
      name: 'Demo site',
      keywordLimit: 1000,
      keywords: ['opening hours', { keyword: 'spring sale', group: 'season' }],
    },
    { id: 'demo-blog', name: 'Demo blog', keywordLimit: 100, keywords: [] },
  ],
  accounts: [
    { id: 'shop', name: 'Demo shop' },
    { id: 'salon', name: 'Demo salon' },
  ],
  tags: [
    { id: 'vip', name: 'VIP', color: 'pink' },
    { id: 'newsletter', name: 'Newsletter', color: 'blue' },
    { id: 'trial', name: 'Trial', color: 'neutral' },
  ],
  templates: [
    { name: 'Welcome', text: 'Thank you for adding us.' },
    { name: 'Closed today', text: 'We are closed today and will answer tomorrow.' },
  ],
  'auto-replies': [
    {
      accountId: 'shop',
      keyword: 'hours',
      matchType: 'contains',
      responseText: 'We are open from ten to six.',
      active: true,
    },
    {
      accountId: null,
      keyword: 'help',
      matchType: 'exact',
      responseText: 'A member will answer soon.',
      content: [{ type: 'text', text: 'A member will answer soon.' }],
      active: false,
    },
  ],
  scenarios: [
    {
      id: 'welcome',
      name: 'Welcome series',
      accountId: null,
      trigger: 'follow',
      triggerTagId: null,
      active: true,
      steps: [
        { delayValue: 0, delayUnit: 'minutes', sendTime: null, text: 'Welcome!' },
        { delayValue: 1, delayUnit: 'days', sendTime: '09:30', text: 'Here is what we offer.' },
      ],
    },
    {
      id: 'care',
      name: 'After care',
      accountId: 'salon',
      trigger: 'tag',
      triggerTagId: 'trial',
      active: true,
      steps: [
        {
          delayValue: 3,
          delayUnit: 'days',
          sendTime: '18:00',
          text: 'How was it?',
          timingMode: 'elapsed',
          condition: { type: 'tag_exists', tagId: 'trial' },
          nextStepOnFalse: null,
        },
        { delayValue: 2, delayUnit: 'hours', sendTime: null, text: 'See you soon.' },
      ],
    },
  ],
  forms: [
    {
      id: 'survey',
      accountId: 'shop',
      name: 'Survey',
      title: 'Tell us what you think',
      description: 'It takes one minute.',
      fields: [
        {
          key: 'mail',
          label: 'Mail',
          type: 'email',
          required: true,
          options: [],
          placeholder: 'you@example.com',
        },
        {
          key: 'topics',
          label: 'Topics',
          type: 'checkbox',
          required: false,
          options: ['Offers', 'Events'],
          placeholder: '',
        },
      ],
      submitTagId: 'newsletter',
      submitScenarioId: 'welcome',
      saveToProfile: true,
      thanksText: 'Thank you.',
      active: true,
      submissions: [
        {
          accountId: 'shop',
          userId: 'aiko',
          values: { mail: 'aiko@example.com', topics: ['Offers', 'Events'] },
          submittedAt: day(12),
        },
        {
          accountId: 'shop',
          userId: 'ben',
          values: { mail: 'ben@example.com', topics: [] },
          submittedAt: day(13),
        },
      ],
    },
  ],
  'rich-menus': [
    {
      id: 'main-menu',
      accountId: 'shop',
      name: 'Main menu',
      chatBarText: 'Menu',
      size: 'large',
      template: 'two-columns',
      areas: [
        {
          x: 0,
          y: 0,
          width: 1250,
          height: 1686,
          action: { type: 'uri', uri: 'https://example.com/shop', label: 'Shop' },
        },
        {
          x: 1250,
          y: 0,
          width: 1250,
          height: 1686,
          action: { type: 'switch', menuId: 'main-menu', label: 'Back' },
        },
      ],
      design: {
        style: 'tiles',
        color: '#1f6feb',
        areas: [
          { icon: 'cart', caption: 'Shop' },
          { icon: null, caption: 'Back' },
        ],
      },
    },
  ],
  links: [
    {
      id: 'spring-page',
      name: 'Spring page',
      url: 'https://example.com/spring',
      tagId: 'newsletter',
      scenarioId: null,
      clicks: [
        { accountId: 'shop', userId: 'aiko', clickedAt: day(14) },
        { accountId: 'salon', userId: 'dana', clickedAt: day(15) },
        { accountId: null, userId: null, clickedAt: day(16) },
      ],
    },
  ],
  routes: [
    { accountId: 'shop', name: 'Shop counter', tagId: 'vip', scenarioId: 'welcome' },
    { accountId: 'salon', name: 'Salon door', tagId: null, scenarioId: null },
  ],
  broadcasts: [
    {
      accountId: 'shop',
      title: 'Spring news',
      messages: [{ type: 'text', text: 'Spring is here.' }],
      target: 'tags',
      tagIds: ['newsletter'],
      scheduledAt: null,
      accountIds: null,
    },
    {
      accountId: 'salon',
      title: 'New courses',
      messages: [
        {
          type: 'card',
          altText: 'Our courses',
          color: '#ff8800',
          cards: [
            {
              imageId: null,
              title: 'Beginners',
              text: 'Every Tuesday',
              buttons: [
                {
                  label: 'More',
                  action: { type: 'uri', uri: '{link:spring-page}' },
                },
              ],
            },
          ],
        },
      ],
      target: 'all',
      tagIds: [],
      scheduledAt: null,
    },
  ],
  friends,
  projects: [
    {
      id: 'website',
      name: 'Website',
      description: 'Pages, components and their rules.',
      archived: false,
      updatedAt: day(60),
      documents: documentsOf('website', 60),
    },
    {
      id: 'campaign',
      name: 'Spring campaign',
      description: 'What we say this spring.',
      archived: false,
      updatedAt: day(40),
      documents: documentsOf('campaign', 4),
    },
    {
      id: 'rebrand',
      name: 'Rebrand 2024',
      description: 'Finished.',
      archived: true,
      updatedAt: day(5),
      documents: documentsOf('rebrand', 4),
    },
  ],
} satisfies Organization;

/** The demo with nothing left out. */
export const completeDemo: CompleteSeed = {
  format: 'orgchat-seed',
  version: 1,
  plans: defaultPlans,
  organizations: [
    demoOrganization,
    {
      ...empty,
      id: 'org_deleted',
      name: 'Deleted organization',
      deleted: true,
      keys: [key('Key of a deleted organization', { key: 'demo-deleted-org-key', scope: 'write' })],
    },
    {
      ...empty,
      id: 'org_free',
      name: 'Organization without API access',
      plan: 'free',
      keys: [key('Key without API access', { key: 'demo-no-api-key', scope: 'write' })],
    },
  ],
};

/**
 * The seed of a mock that is given none.
 *
 * @alias
 */
export const demoSeed: SeedDocument = completeDemo;

/** The keys of the demo organization, by what they show. */
export const demoKeys = {
  write: 'demo-write-key',
  read: 'demo-read-key',
  viewer: 'demo-viewer-key',
  revoked: 'demo-revoked-key',
  deletedOrganization: 'demo-deleted-org-key',
  suspended: 'demo-suspended-key',
  noApi: 'demo-no-api-key',
} as const;
