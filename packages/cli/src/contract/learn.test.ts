import type { ServerDescription } from '@orgchat/spec';
import { expect, test } from 'vitest';
import { compare, learn } from './learn.ts';
import type { ProbeResult } from './probe-result.ts';
import { type Fact, topicNames } from './topics.ts';
import { decide } from './verdicts.ts';
import { completeDescription } from './write-description.ts';

const saw = (topic: ProbeResult['topic'], facts: Readonly<Record<string, Fact>>): ProbeResult[] =>
  Object.entries(facts).map(([place, fact]) => ({ topic, place, fact }));

const decideAll = (results: readonly ProbeResult[]) =>
  topicNames.map((topic) => decide(topic, results, 'not asked'));

/** The keys that differ from a description, if a check finds this. */
const differ = (description: object, ...results: readonly ProbeResult[]): string[] =>
  compare({ server: 1, ...description } as ServerDescription, learn(decideAll(results))).map(({ key }) =>
    key.join('.'),
  );

const decidedTotal = saw('shapes.list.total', { tags: '/total', links: '/total' });
const noTotal = saw('shapes.list.total', { tags: null, links: null });
const ones = saw('shapes.one', { tags: '/record', links: '/link' });

test.each<[string, object, readonly ProbeResult[], readonly string[]]>([
  ['null is not the default', { shapes: { list: { total: null } } }, decidedTotal, ['shapes.list.total']],
  [
    'null of one resource',
    { shapes: { resources: { tags: { list: { total: null } } } } },
    decidedTotal,
    ['shapes.resources.tags.list.total'],
  ],
  ['null was learned', {}, noTotal, ['shapes.list.total']],
  ['null is null', { shapes: { list: { total: null } } }, noTotal, []],
  [
    'null of every resource that was asked',
    { shapes: { resources: { tags: { list: { total: null } }, links: { list: { total: null } } } } },
    noTotal,
    [],
  ],
  ['the default in words', { shapes: { list: { total: '/total' } } }, decidedTotal, []],
  ['one resource', {}, ones, ['shapes.resources.links.one']],
  ['one resource as it is', { shapes: { resources: { links: { one: '/link' } } } }, ones, []],
  [
    'each resource in words',
    { shapes: { one: '/x', resources: { tags: { one: '/record' }, links: { one: '/link' } } } },
    ones,
    [],
  ],
  [
    'a rename that is not there',
    { shapes: { record: { rename: { createdAt: '/created' } } } },
    saw('shapes.record.rename', { tags: [] }),
    ['shapes.record.rename.createdAt'],
  ],
  [
    'a rename to its own name',
    { shapes: { record: { rename: { createdAt: '/createdAt' } } } },
    saw('shapes.record.rename', { tags: [] }),
    [],
  ],
  [
    'a code among others',
    { codes: { notFound: ['missing', 'gone'] } },
    saw('codes.notFound', { tags: 'missing' }),
    [],
  ],
  [
    'a code that is not among them',
    { codes: { notFound: ['missing', 'gone'] } },
    saw('codes.notFound', { tags: 'NOT_FOUND' }),
    ['codes.notFound'],
  ],
])('a description is compared by what it means: %s', (_, description, results, keys) => {
  expect(differ(description, ...results)).toEqual(keys);
});

async function complete(description: object, ...results: readonly ProbeResult[]): Promise<unknown> {
  const verdicts = decideAll(results);
  const text = JSON.stringify({ server: 1, ...description });
  const checked = { at: '2026-01-01T00:00:00Z', organization: 'x', requests: 1 };
  const { parseDocument } = await import('../yaml.ts');
  const {
    server,
    checked: _,
    unknown,
    ...said
  } = parseDocument(
    await completeDescription({ name: 'server.json', text }, verdicts, learn(verdicts), checked),
  ).toJS() as Record<string, unknown>;
  return said;
}

test('a completed description loses what is not so anymore, and keeps what records do not show', async () => {
  const shapes = {
    list: { order: 'oldest', total: '/n' },
    record: { rename: { createdAt: '/made', name: '/title', color: '/colour' } },
    resources: {
      tags: { record: { rename: { updatedAt: '/changed' } }, list: { order: 'oldest', total: '/count' } },
      friends: { record: { rename: { notes: '/memo' } } },
    },
  };
  const results: ProbeResult[] = [
    ...saw('shapes.record.rename', { tags: ['name:/label'], links: [] }),
    { topic: 'shapes.record.rename', place: 'tags.color', unknown: 'the record has none' },
    ...saw('shapes.list.order', { tags: 'newest' }),
    ...saw('shapes.list.total', { tags: '/n' }),
    ...saw('lists.total', { lists: 'something else' }),
  ];
  expect(await complete({ shapes }, ...results)).toEqual({
    shapes: {
      list: { total: null },
      record: { rename: { color: '/colour' } },
      resources: {
        tags: { record: { rename: { name: '/label' } } },
        friends: { record: { rename: { notes: '/memo' } } },
      },
    },
  });
});
