import { describe, expect, test } from 'vitest';
import { axes, axisNames, isReadable } from './axes.ts';
import { describeMember } from './describe-member.ts';
import { namedMembers, pairwiseMembers, randomMembers } from './members.ts';

describe('the family', () => {
  test('has at least 24 named members, with each value of each axis', () => {
    expect(new Set(namedMembers.map(({ name }) => name)).size).toBe(namedMembers.length);
    expect(namedMembers.length).toBeGreaterThanOrEqual(24);
    for (const axis of axisNames)
      expect(new Set(namedMembers.map(({ choices }) => choices[axis]))).toEqual(new Set(axes[axis]));
  });

  test('has members in which each two values of two axes meet', () => {
    const members = pairwiseMembers();
    for (const [at, a] of axisNames.entries())
      for (const b of axisNames.slice(at + 1))
        for (const one of axes[a])
          for (const other of axes[b])
            expect(
              members.some(({ choices }) => choices[a] === one && choices[b] === other),
              `${a} ${one}, ${b} ${other}`,
            ).toBe(true);
  });

  test('is the same for the same seed, and has no server that nobody can read', () => {
    expect(pairwiseMembers()).toEqual(pairwiseMembers());
    expect(randomMembers(7, 200)).toEqual(randomMembers(7, 200));
    expect(randomMembers(7, 20)).not.toEqual(randomMembers(8, 20));
    for (const { choices } of [...namedMembers, ...pairwiseMembers(), ...randomMembers(7, 200)])
      expect(isReadable(choices)).toBe(true);
  });
});

describe('the description of a member', () => {
  const find = (name: string): object => {
    const member = namedMembers.find((one) => one.name === name);
    if (member === undefined) throw new Error(`No member is called ${name}.`);
    return describeMember(member.choices);
  };

  test('says nothing of what is as assumed, or needs no word', () => {
    expect(find('as assumed')).toEqual({ server: 1, limits: { retryAfter: 'seconds' } });
    expect(find('extras: id and createdAt')).toEqual(find('as assumed'));
  });

  test('has pointers into the answer and into the record', () => {
    expect(find('JSON:API')).toMatchObject({
      server: 1,
      shapes: {
        list: { records: '/data/rows', total: null, limited: null },
        one: '/item',
        record: {
          revision: '/attributes/revision',
          label: '/attributes/label',
          data: '/attributes',
          rename: { createdAt: '/attributes/created_at', updatedAt: '/attributes/updated_at' },
        },
      },
    });
    expect(find('guards: meta.version')).toMatchObject({
      shapes: { record: { revision: '/meta/version', label: '/meta/title' } },
    });
  });
});
