import { readFileSync } from 'node:fs';
import { listNumbers } from '@orgchat/spec/numbered-places';
import { expect, test } from 'vitest';
import type { Probe } from './probe.ts';
import { probes } from './probes.ts';
import { getTopic, topicNames } from './topics.ts';

/*
 * The section of DECISIONS.md about the check names, for each decision and each clause, the probes that ask about it, or why
 * none does. The probes say what they ask about.
 */

const read = (name: string): string =>
  readFileSync(new URL(`../../../../spec/${name}`, import.meta.url), 'utf8');
const decisions = read('DECISIONS.md');
const [, section = ''] = /## What a contract check asks\n([\s\S]*?)\n## /.exec(decisions) ?? [];

const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** `1.1–1.20` as the clauses of that range. */
function expand(range: string, all: readonly string[]): readonly string[] {
  const [first = '', last = first] = range.split('–');
  const [from, to] = [all.indexOf(first), all.indexOf(last)];
  if (from < 0 || to < from) throw new Error(`${range} is not in the specification.`);
  return all.slice(from, to + 1);
}

/** The rows of the table below a header. */
function readTable(header: string): readonly (readonly [numbers: string, what: string])[] {
  const [, table = ''] = section.split(`| ${header} |\n|---|---|\n`);
  const [rows = ''] = table.split('\n\n');
  return Array.from(rows.matchAll(/^\| (.*?) \| (.*) \|$/gm), ([, numbers = '', what = '']) => [
    numbers,
    what,
  ]);
}

/** Probes in words: a group, if all of it asks. */
function describe(asking: readonly Probe[]): string {
  const groups = [...new Set(asking.map(({ group }) => group))];
  return groups
    .flatMap((group) => {
      const own = asking.filter((probe) => probe.group === group).map(({ name }) => name);
      const isWhole = own.length === probes.filter((probe) => probe.group === group).length;
      return isWhole ? [group] : own;
    })
    .map((name) => `\`${name}\``)
    .join(', ');
}

/** Which numbers each set of probes asks about, as rows of a table. */
function toRows(
  numbers: readonly string[],
  findAsking: (number: string) => readonly Probe[],
): readonly (readonly [string, string])[] {
  const rows = new Map<string, string[]>();
  for (const number of numbers.toSorted(byNumber)) {
    const asking = findAsking(number);
    if (asking.length === 0) continue;
    const what = describe(asking);
    rows.set(what, [...(rows.get(what) ?? []), number]);
  }
  return Array.from(rows, ([what, list]) => [list.join(', '), what]);
}

const asksAbout = (basis: string): readonly Probe[] =>
  probes.filter(({ topics }) => topics.some((topic) => getTopic(topic).basis === basis));

test('each decision is asked about by the probes that are named, or the reason is there', () => {
  const all = listNumbers(decisions, 'decision');
  const asked = toRows(all, asksAbout);
  expect(readTable('decisions | asked by')).toEqual(asked);
  const reasons = readTable('decisions | not asked, because').flatMap(([numbers]) => numbers.split(', '));
  const named = [...asked.flatMap(([numbers]) => numbers.split(', ')), ...reasons];
  expect(named.toSorted(byNumber)).toEqual(all);
});

test('each clause is asked about by the probes that are named, or the reason is there', () => {
  const all = listNumbers(read('SPECIFICATION.md'), 'clause');
  const asked = toRows(all, (clause) => probes.filter(({ clauses }) => clauses.includes(clause)));
  expect(readTable('clauses | asked by')).toEqual(asked);
  const reasons = readTable('clauses | not asked, because').flatMap(([ranges]) =>
    ranges.split(', ').flatMap((range) => expand(range, all)),
  );
  const isAsked = new Set(asked.flatMap(([numbers]) => numbers.split(', ')));
  expect([...new Set([...isAsked, ...reasons])].toSorted(byNumber)).toEqual(all.toSorted(byNumber));
});

test('every topic has a probe and a basis that one of them asks about, and every probe a name of its own', () => {
  for (const topic of topicNames) {
    const asking = probes.filter((probe) => probe.topics.includes(topic));
    const { basis } = getTopic(topic);
    const isAsked = basis.startsWith('D') || asking.some(({ clauses }) => clauses.includes(basis));
    expect([topic, asking.length > 0, isAsked]).toEqual([topic, true, true]);
  }
  expect(new Set(probes.map(({ name }) => name)).size).toBe(probes.length);
});
