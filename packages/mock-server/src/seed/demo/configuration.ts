import { day } from './day.ts';
import type { Organization } from './empty.ts';

/** The records of the nine configuration resources. */
export const configuration = {
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
} satisfies Pick<
  Organization,
  | 'tags'
  | 'templates'
  | 'auto-replies'
  | 'scenarios'
  | 'forms'
  | 'rich-menus'
  | 'links'
  | 'routes'
  | 'broadcasts'
>;
