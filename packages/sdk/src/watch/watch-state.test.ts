import { expect, test } from 'vitest';
import { addIds, createState, maxCursorBytes, parseState, serializeState } from './watch-state.ts';

const id = (n: number): string => n.toString(16).padStart(16, '0');

test('a list keeps the last 100 ids, each once', () => {
  const state = { at: null, after: null, ids: '' };
  for (let n = 0; n < 150; n++) addIds(state, [id(n)]);
  addIds(state, [id(149), id(60)]);
  expect(state.ids).toHaveLength(1_600);
  expect(state.ids.startsWith(id(50))).toBe(true);
  expect(state.ids.endsWith(id(149) + id(60))).toBe(true);
});

/** Conversations with 100 ids each; a tenth is gone. */
function createLargeState(count: number) {
  const state = { ...createState('org'), heardAt: count };
  for (let n = 0; n < count; n++) {
    const one = {
      at: n,
      after: null,
      ids: id(n).repeat(100),
      digest: id(n),
      isGone: n % 10 === 0,
      rereadAt: n,
    };
    state.conversations.set(`account ${n}`, one);
  }
  return state;
}

test('a small state is stored as it is', () => {
  const state = { ...createLargeState(5), startedAt: 7 };
  expect(parseState(serializeState(state))).toEqual(state);
});

test.each([700, 5_000, 20_000])(
  'of %i conversations at most 1 MB are stored, and the newest keep their ids',
  (count) => {
    const text = serializeState(createLargeState(count));
    expect(text.length).toBeLessThanOrEqual(maxCursorBytes);
    expect(text.length).toBeGreaterThan(maxCursorBytes * 0.9);
    const { conversations, floors } = parseState(text);
    const all = [...conversations.values()];
    expect(all.some(({ isGone }) => isGone)).toBe(false);
    // Without ids, messages are compared by the time of the newest that was handled.
    for (const { ids, after, at } of all) expect(ids === '' ? after : null).toBe(ids === '' ? at : null);
    // Of a conversation that is forgotten, the account knows up to which time messages were handled.
    const forgotten = count - Math.ceil(count / 10) - all.length;
    const [oldest] = all;
    if (forgotten > 0) expect(floors.get('account')).toBeLessThan(oldest?.at ?? 0);
    else expect(all.at(-1)?.ids).toHaveLength(1_600);
  },
);

test('what is stored without ids is not compared with a time from before the clock was set back', () => {
  const { conversations, floors } = parseState(serializeState(createLargeState(20_000), 5));
  expect(floors.get('account')).toBe(5);
  const withoutIds = [...conversations.values()].filter(({ ids }) => ids === '');
  expect(withoutIds.length).toBeGreaterThan(0);
  for (const { after } of withoutIds) expect(after).toBe(5);
});

test.each([
  ['{', 'it is not JSON'],
  ['[]', 'it was not written by watch()'],
  ['{"format":1}', 'it was not written by watch()'],
  [serializeState(createState('org')).replace('"lists":[]', '"lists":[["a",{}]]'), 'not written by watch()'],
  ['{"format":2}', 'the format 2, which a newer version'],
])('%j is refused', (text, why) => {
  expect(() => parseState(text)).toThrow(expect.objectContaining({ code: 'CURSOR_FAILED' }));
  expect(() => parseState(text)).toThrow(why);
});
