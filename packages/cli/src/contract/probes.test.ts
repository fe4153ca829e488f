import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { groups } from './probe.ts';
import { probes } from './probes.ts';
import { getTopic, topicNames } from './topics.ts';

/* The section of DECISIONS.md about the check names each decision once, and the groups that ask about it. */

const text = readFileSync(new URL('../../../../spec/DECISIONS.md', import.meta.url), 'utf8');
const [, section = ''] = /## What a contract check asks\n([\s\S]*?)\n## /.exec(text) ?? [];
const rows = Array.from(section.matchAll(/^\| (D\d[^|]*) \| (.*) \|$/gm), ([, list = '', what = '']) => ({
  decisions: list.split(', '),
  what,
}));
const asked = rows.filter(({ what }) => groups.some((group) => what.includes(`\`${group}\``)));

test('each decision is asked about, or the reason is there', () => {
  const all = Array.from(text.matchAll(/^### (D\d+) /gm), ([, number]) => number);
  const named = rows.flatMap(({ decisions }) => decisions);
  expect(named.toSorted()).toEqual(all.toSorted());
});

test('the decisions that are asked about are those of the topics, by the groups of their probes', () => {
  const decisions = new Set(
    topicNames.map((topic) => getTopic(topic).basis).filter((basis) => /^D/.test(basis)),
  );
  expect(asked.flatMap((row) => row.decisions).toSorted()).toEqual([...decisions].toSorted());
  for (const topic of topicNames) {
    const row = asked.find((one) => one.decisions.includes(getTopic(topic).basis));
    if (row === undefined) continue;
    const asking = probes.filter((probe) => probe.topics.includes(topic)).map(({ group }) => group);
    expect(asking.some((group) => row.what.includes(`\`${group}\``))).toBe(true);
  }
});

test('every topic has a probe, and every probe a name of its own', () => {
  for (const topic of topicNames)
    expect(
      probes.some((probe) => probe.topics.includes(topic)),
      topic,
    ).toBe(true);
  expect(new Set(probes.map(({ name }) => name)).size).toBe(probes.length);
});
