import type { ConfigurationResource } from '@orgchat/spec';
import { deriveUuid } from '../src/primitives/digest.ts';

/** Identifiers of the demo organization. */
export const shop = deriveUuid('shop');
export const salon = deriveUuid('salon');
export const vip = deriveUuid('vip');
export const welcome = deriveUuid('welcome');
export const mainMenu = deriveUuid('main-menu');

/** A valid identifier that no record has. */
export const nobody = '00000000-0000-4000-8000-00000000dead';

export const card = {
  imageId: null,
  title: 'Course',
  text: 'Every Tuesday',
  buttons: [{ label: 'More', action: { type: 'uri', uri: 'https://example.com' } }],
};
export const textBlock = { type: 'text', text: 'Hello' };
export const imageBlock = { type: 'image', imageId: nobody };
export const cardBlock = { type: 'card', altText: 'Courses', color: '#ff8800', cards: [card] };

export const step = { delayValue: 1, delayUnit: 'days', sendTime: '09:30', text: 'Good morning.' };
export const field = {
  key: 'mail',
  label: 'Mail',
  type: 'email',
  required: true,
  options: [],
  placeholder: '',
};
export const area = {
  x: 0,
  y: 0,
  width: 2500,
  height: 1686,
  action: { type: 'uri', uri: 'https://example.com', label: 'Open' },
};

export const tagCondition = { type: 'tag_exists', tagId: vip };
export const metadataCondition = { type: 'metadata_equals', key: 'city', value: '' };
export const design = { style: 'tiles', color: '#1f6feb', areas: [{ icon: null, caption: '' }] };

/** Valid data of each configuration resource, as small as it can be. */
export const data = {
  tags: { name: 'Spring', color: 'green' },
  templates: { name: 'Hello', text: 'Hello.' },
  'auto-replies': {
    accountId: null,
    keyword: 'price',
    matchType: 'contains',
    responseText: 'Ask us.',
    active: true,
  },
  scenarios: {
    name: 'Series',
    accountId: null,
    trigger: 'manual',
    triggerTagId: null,
    active: true,
    steps: [step],
  },
  forms: {
    accountId: shop,
    name: 'Form',
    title: 'Title',
    description: '',
    fields: [field],
    submitTagId: null,
    submitScenarioId: null,
    saveToProfile: false,
    thanksText: '',
    active: true,
  },
  'rich-menus': {
    accountId: shop,
    name: 'Menu',
    chatBarText: 'Menu',
    size: 'large',
    template: 'one',
    areas: [area],
  },
  links: { name: 'Link', url: 'https://example.com', tagId: null, scenarioId: null },
  routes: { accountId: shop, name: 'Route', tagId: null, scenarioId: null },
  broadcasts: {
    accountId: shop,
    title: 'News',
    messages: [textBlock],
    target: 'all',
    tagIds: [],
    scheduledAt: null,
  },
} as const satisfies Record<ConfigurationResource, object>;

/** A scenario whose step has additional or different fields. */
export const withStep = (change: object): unknown => ({ ...data.scenarios, steps: [{ ...step, ...change }] });

/** A broadcast with a card that has additional or different fields. */
export const withCard = (change: object): unknown => ({
  ...data.broadcasts,
  messages: [{ ...cardBlock, cards: [{ ...card, ...change }] }],
});
