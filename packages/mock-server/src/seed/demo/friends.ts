import type { SeedFriend } from '../schema.ts';
import { day } from './day.ts';

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

/** The first friend of the list is not enrolled in the first scenario, so that a trial enrollment works. */
const automations: Readonly<Record<string, SeedFriend['automations']>> = {
  aiko: [{ scenarioId: 'welcome', status: 'completed', nextStep: 2, enrolledAt: day(2) }],
  dana: [{ scenarioId: 'care', status: 'active', nextStep: 1, enrolledAt: day(20) }],
  emi: [{ scenarioId: 'care', status: 'completed', nextStep: 2, enrolledAt: day(20) }],
};

export const friends = people.map(({ name, texts, ...friend }, i) => ({
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
