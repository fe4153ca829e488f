import { describe, expect, test } from 'vitest';
import { learnMember, learnTwin, plantedIn, shownBy, violatedBy } from './learn-member.ts';
import { namedMembers, randomMembers } from './members/members.ts';

/** The others, and random ones, are in the soak. */
const names = [
  'as assumed',
  'nesting: attributes',
  'rows: summary',
  'rowGuards: absent',
  'guards: meta.version',
  'extras: id and createdAt',
  'total: too high',
  'limited: always true',
  'pages: gaps',
  'notFound: html',
  'JSON:API',
  'verbose',
];

const members = [...namedMembers.filter(({ name }) => names.includes(name)), ...randomMembers(1, 4)];

describe('the reads of a contract check', () => {
  test.each(members)('learn what the description of $name says, and change nothing', async ({ choices }) => {
    const { learned, violated, requests, changes, values } = await learnMember(choices);
    expect(violated).toEqual(violatedBy(choices));
    expect(learned).toEqual(shownBy(choices));
    expect([changes, requests <= 52, values]).toEqual([0, true, []]);
  });

  test.each(members)('learn the same of the mock with the description of $name', async ({ choices }) => {
    const { learned, violated } = await learnTwin(choices);
    expect(violated).toEqual([]);
    expect(learned).toEqual(plantedIn(choices));
  });
});

/** Writes take longer; the others are in the soak. */
const written = members.filter(({ name }) => /summary|gaps|JSON:API|random/.test(name));

describe('the writes of a contract check', () => {
  test.each(written)('learn what the description of $name says, and leave nothing', async ({ choices }) => {
    const { learned, violated, left, isUnchanged, changes, values } = await learnMember(choices, true);
    expect(violated).toEqual(violatedBy(choices));
    expect(learned).toEqual(shownBy(choices, true));
    expect([left, isUnchanged, changes > 20, values]).toEqual([0, true, true, []]);
  });

  test.each(written)('learn the same of the mock with the description of $name', async ({ choices }) => {
    const { learned, violated, left } = await learnTwin(choices, true);
    expect(violated).toEqual([]);
    expect(learned).toEqual(plantedIn(choices, true));
    expect(left).toBe(0);
  });
});
