import { describe, expect, it } from 'vitest';
import { createGuard } from '../../../packages/mock-server/test-support/caller.ts';
import {
  card,
  cardBlock,
  data,
  field,
  shop,
  step,
  textBlock,
  vip,
} from '../../../packages/mock-server/test-support/data.ts';
import { withAt } from '../../../packages/mock-server/test-support/paths.ts';
import { contractText, serve } from './service.ts';

const { mock, caller } = serve();
type Resource = keyof typeof data;

const text = (count: number): string => '字'.repeat(count);
const items =
  (item: unknown) =>
  (count: number): unknown[] =>
    Array(count).fill(item);

/** A limit: its clause and field, its maximum and minimum, and a value of a given size. */
type Limit = [string, Resource, string, number, number, (size: number) => unknown, unknown?];

const cards = { ...data.broadcasts, messages: [cardBlock] };
const inCard = 'messages.0.cards.0';
const messageAction = { ...card, buttons: [{ label: 'x', action: { type: 'message', text: 'x' } }] };
const messageButton = { ...data.broadcasts, messages: [{ ...cardBlock, cards: [messageAction] }] };
const menu = data['rich-menus'];
const [area] = menu.areas;
const messageArea = { ...menu, areas: [{ ...area, action: { type: 'message', text: 'x', label: 'x' } }] };
const design = { style: 'tiles', color: '#1f6feb', areas: [{ icon: null, caption: '' }] };

const names = (Object.keys(data) as Resource[]).filter((resource) => resource !== 'auto-replies');
const limits: readonly Limit[] = [
  ...names.map((on): Limit => ['8.9', on, on === 'broadcasts' ? 'title' : 'name', 100, 1, text]),
  ['8.10', 'templates', 'text', 5000, 1, text],
  ['8.11', 'auto-replies', 'responseText', 5000, 1, text],
  ['8.12', 'broadcasts', 'messages.0.text', 5000, 1, text],
  ['8.13', 'forms', 'thanksText', 5000, 0, text],
  ['8.14', 'broadcasts', `${inCard}.text`, 300, 0, text, cards],
  ['8.15', 'broadcasts', `${inCard}.title`, 40, 1, text, cards],
  ['8.16', 'broadcasts', `${inCard}.buttons.0.label`, 20, 1, text, cards],
  ['8.16', 'rich-menus', 'areas.0.action.label', 20, 1, text],
  ['8.17', 'broadcasts', `${inCard}.buttons.0.action.text`, 300, 1, text, messageButton],
  ['8.17', 'rich-menus', 'areas.0.action.text', 300, 1, text, messageArea],
  ['8.18', 'broadcasts', 'messages', 5, 1, items(textBlock)],
  ['8.18', 'auto-replies', 'content', 5, 1, items(textBlock)],
  ['8.18', 'scenarios', 'steps.0.content', 5, 1, items(textBlock)],
  ['8.19', 'broadcasts', 'messages.0.cards', 10, 1, items(card), cards],
  ['8.20', 'broadcasts', `${inCard}.buttons`, 3, 0, items(card.buttons[0]), cards],
  ['8.21', 'scenarios', 'steps', 20, 1, items(step)],
  ['8.22', 'scenarios', 'steps.0.delayValue', 525_600, 0, (size) => size],
  ['8.23', 'scenarios', 'steps.0.nextStepOnFalse', 19, 0, (size) => size],
  ['8.24', 'forms', 'fields', 30, 1, items(field)],
  ['8.25', 'forms', 'fields.0.options', 30, 0, items('x')],
  ['8.26', 'forms', 'fields.0.key', 40, 1, (size) => 'k'.repeat(size)],
  ['8.27', 'rich-menus', 'areas', 20, 1, items(area)],
  ['8.28', 'rich-menus', 'chatBarText', 14, 1, text],
  ['8.29', 'rich-menus', 'design.areas.0.caption', 30, 0, text, { ...menu, design }],
  ['8.30', 'broadcasts', 'tagIds', 50, 0, items(vip)],
  ['8.31', 'broadcasts', 'accountIds', 10, 2, items(shop)],
];

describe('section 8: limits of changes', () => {
  it.each(limits)(
    '[%s] %s: %s has at most %i and at least %i',
    async (_, on, at, most, least, of, base = data[on]) => {
      for (const [size, expected] of [
        [most, 200],
        [most + 1, 400],
        [least, 200],
        ...(least > 0 ? [[least - 1, 400] as const] : []),
      ] as const) {
        const { status } = await caller.apply({ action: `create-${on}`, data: withAt(base, at, of(size)) });
        expect({ size, status }).toEqual({ size, status: expected });
      }
    },
  );

  it.each<[string, string, (size: number) => object, number]>([
    ['8.30', 'set-friend-tags', (size) => ({ tagIds: Array(size).fill(vip) }), 50],
    ['8.32', 'update-friend', (size) => ({ data: { notes: text(size) } }), 2000],
  ])('[%s] %s accepts its limit and no more', async (_, action, of, most) => {
    mock.reset();
    const friend = await caller.first('friends');
    const who = { accountId: friend.accountId, userId: friend.userId, ...createGuard(friend) };
    expect((await caller.apply({ action, ...who, ...of(most + 1) })).status).toBe(400);
    expect((await caller.apply({ action, ...who, ...of(most) })).status).toBe(200);
  });
});

describe('section 8: limits of reads and keywords', () => {
  const keywords = (size: number): string[] => Array.from({ length: size }, (_, i) => `k${i}`);
  it.each<[string, string, string, number, number, (size: number) => object]>([
    ['8.4', 'offset', '/chat/read', 1_000_000, 0, (offset) => ({ resource: 'tags', offset })],
    ['8.4', 'offset of friends', '/chat/read', 1_000_000, 0, (offset) => ({ resource: 'friends', offset })],
    ['8.3', 'limit', '/chat/read', 50, 1, (limit) => ({ resource: 'tags', limit })],
    ['8.5', 'keywords', '/sites/demo-site/keywords', 50, 1, (size) => ({ keywords: keywords(size) })],
    ['8.6', 'a keyword', '/sites/demo-site/keywords', 80, 1, (size) => ({ keywords: [text(size)] })],
    [
      '8.7',
      'a group',
      '/sites/demo-site/keywords',
      30,
      0,
      (size) => ({ keywords: ['x'], group: text(size) }),
    ],
    ['8.33', 'query', '/studio/read', 100, 0, (size) => ({ resource: 'projects', query: text(size) })],
  ])('[%s] %s at %s has at most %i and at least %i', async (_, _what, path, most, least, of) => {
    mock.reset();
    for (const [size, taken] of [
      [most, true],
      [most + 1, false],
      [least, true],
      ...(path === '/studio/read' || path.includes('sites') ? [] : [[least - 1, false] as const]),
    ] as const) {
      expect({ size, taken: (await caller.send(path, of(size))).status < 300 }).toEqual({ size, taken });
    }
  });

  it('[4.2.15, 7.2.2, 8.8] the limit of a plan counts the keywords of all sites', async () => {
    const keys = [{ key: 'k', name: 'K', scope: 'write' as const }];
    const sites = [{ id: 'a', keywords: ['one'] }, { id: 'b' }];
    const organizations = [{ id: 'o', plan: 'small', keys, sites }];
    const plans = { small: { monthlyRequests: 1_000, keywords: 3 } };
    const { caller, mock } = serve({ seed: { format: 'orgchat-seed', version: 1, plans, organizations } });
    const add = (site: string, ...words: string[]) => caller.as('k').keywords(site, { keywords: words });
    const { status, body } = await add('b', 'two', 'three', 'four');
    expect([status, body.error]).toEqual([400, 'KEYWORD_LIMIT_EXCEEDED']);
    expect(body.message).toContain('The plan can hold at most 3 keywords.');
    expect(mock.keywords('b')).toEqual([]);
    const inJapanese = { headers: { 'Accept-Language': 'ja' } };
    const refused = await caller.as('k').keywords('b', { keywords: ['two', 'three', 'four'] }, inJapanese);
    expect(refused.body.message).toContain('プランの上限は3件です。');
    expect((await add('b', 'two', 'three')).status).toBe(201);
    expect((await add('a', 'four')).status).toBe(400);
    expect((await add('a', 'one')).body).toEqual({ added: [], skipped: ['one'] });
  });

  it('[8.34] a cursor has at most 80 characters, and issued cursors fit', async () => {
    mock.reset();
    const [project] = (await caller.studio({ resource: 'projects', query: 'website' })).body.projects;
    const documents = { resource: 'documents', projectId: project?.id };
    const { next } = (await caller.studio(documents)).body;
    expect(next?.length).toBeLessThanOrEqual(80);
    expect((await caller.studio({ ...documents, cursor: next })).status).toBe(200);
    const { status, body } = await caller.studio({ ...documents, cursor: 'x'.repeat(81) });
    expect([status, body.message]).toEqual([400, expect.stringMatching(/80/)]);
  });

  it('[8.3] [8.35] a page of Studio projects or documents has 50 entries', async () => {
    const updatedAt = '2026-01-01T00:00:00.000Z';
    const documents = Array.from({ length: 51 }, () => ({
      title: 'D',
      kind: 'note' as const,
      updatedAt,
      body: '',
    }));
    const projects = Array.from({ length: 51 }, () => ({ name: 'P', updatedAt, documents }));
    const organization = { id: 'o', keys: [{ key: 'k', name: 'K', scope: 'read' as const }], projects };
    const reader = serve({
      seed: { format: 'orgchat-seed', version: 1, organizations: [organization] },
    }).caller.as('k');
    const first = (await reader.studio({ resource: 'projects' })).body;
    expect([first.projects.length, first.total]).toEqual([50, 51]);
    const rest = (await reader.studio({ resource: 'projects', cursor: first.next })).body;
    expect([rest.projects.length, rest.next]).toEqual([1, null]);
    const inProject = { resource: 'documents', projectId: first.projects[0]?.id };
    expect((await reader.studio(inProject)).body.documents).toHaveLength(50);
  });

  it('[8.36] Retry-After is the only header about limits', async () => {
    const { caller } = serve({ rateLimit: 1 });
    const answers = [await caller.me(), await caller.me()];
    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    for (const { headers } of answers) {
      expect([...headers.keys()].filter((name) => /limit|remaining|reset|quota/i.test(name))).toEqual([]);
    }
    expect(answers[1]?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(contractText).not.toMatch(/"X?-?RateLimit[^"]*":/i);
  });

  it('[8.37] records are not limited: a thousand tags can be created', async () => {
    const { caller } = serve();
    for (let i = 0; i < 1_000; i++) {
      const { status } = await caller.apply({ action: 'create-tags', data: data.tags });
      if (status !== 200) expect.unreachable(`the ${i}th answered ${status}`);
    }
    expect((await caller.read({ resource: 'tags', limit: 1 })).body.total).toBe(1_003);
  });

  it('[8.38] a request that passes the limits counts, whatever its answer, by decision', async () => {
    const { caller } = serve();
    const used = async (): Promise<number> => (await caller.me()).body.api.used;
    const cost = async (send: () => Promise<unknown>): Promise<number> => {
      const before = await used();
      await send();
      return (await used()) - before - 1;
    };
    const free = [
      () => caller.send('/nowhere'),
      () => caller.send('/me', {}),
      () => caller.as('unknown').me(),
      () => caller.as('demo-suspended-key').me(),
    ];
    const counted = [
      () => caller.read({}),
      () => caller.read({ resource: 'tags', id: vip.replace(/./g, '0') }),
      () => caller.as('demo-read-key').apply({}),
      () => caller.keywords('nowhere', { keywords: ['x'] }),
    ];
    for (const send of free) expect(await cost(send)).toBe(0);
    for (const send of counted) expect(await cost(send)).toBe(1);
  });
});
