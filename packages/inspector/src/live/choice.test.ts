import { expect, test } from 'vitest';
import { createChoice } from './choice.ts';

type Ids = readonly string[];

/** A choice whose writes end when the test says so. */
function setUp() {
  const sent: { readonly ids: Ids; readonly end: (isAccepted: boolean) => Promise<void> }[] = [];
  const choice = createChoice<Ids>(
    (ids) =>
      new Promise((resolve) => {
        const end = async (isAccepted: boolean): Promise<void> => {
          resolve(isAccepted);
          await new Promise((done) => setTimeout(done));
        };
        sent.push({ ids, end });
      }),
  );
  const toggle = (stored: Ids, id: string): void => choice.choose([...choice.show(stored), id]);
  return { choice, sent, toggle };
}

test('a second choice builds on the first, although the mock has not confirmed it', async () => {
  const { choice, sent, toggle } = setUp();
  toggle([], 'a');
  toggle([], 'b');
  toggle([], 'c');
  expect(choice.show([])).toEqual(['a', 'b', 'c']);
  // One write at a time, and none for what was replaced in the meantime.
  expect(sent.map(({ ids }) => ids)).toEqual([['a']]);
  await sent[0]?.end(true);
  expect(sent.map(({ ids }) => ids)).toEqual([['a'], ['a', 'b', 'c']]);
  await sent[1]?.end(true);
  // A read that began before the write does not take the choice back.
  choice.confirm([]);
  toggle([], 'd');
  expect(sent[2]?.ids).toEqual(['a', 'b', 'c', 'd']);
  await sent[2]?.end(true);
  choice.confirm(['a', 'b', 'c', 'd']);
  expect(choice.show(['x'])).toEqual(['x']);
});

test('a refused choice is taken back, and a later change of somebody else is shown', async () => {
  const { choice, sent, toggle } = setUp();
  toggle(['a'], 'b');
  await sent[0]?.end(false);
  expect(choice.show(['a'])).toEqual(['a']);
  toggle(['a'], 'b');
  await sent[1]?.end(true);
  choice.confirm(['z']);
  expect(choice.show(['z'])).toEqual(['a', 'b']);
  choice.confirm(['z']);
  expect(choice.show(['z'])).toEqual(['z']);
});
