import { configurationResources, isObject } from '@orgchat/spec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Mock } from '../../src/index.ts';
import type { Caller } from '../../test-support/caller.ts';
import { data, shop } from '../../test-support/data.ts';
import { lastBecause, openDecided } from '../../test-support/last-because.ts';

/* The corrections that `because` has of a body are accepted when they are sent. */

describe('a correction of the body', () => {
  const corrected = /A valid value of (\S+|the body): (.*?)\.(?: The body has \d+ more problems?\.)?$/s;

  /** Sends a body, and its corrections, until it is valid; returns the number of corrections. */
  async function correct(mock: Mock, caller: Caller, path: string, given: unknown): Promise<number> {
    let body = given;
    for (let count = 0; count < 20; count++) {
      const answer = await caller.send(path, body);
      if (answer.status !== 400) return count;
      const because = lastBecause(mock).replaceAll(/ \(did you mean [^)]*\)/g, '');
      const omitted = /has unknown fields: (.*?)\. Omit the unknown fields of (\S+|the body)\./.exec(because);
      const renamed = /\. Rename (.*?)(, and omit the other unknown fields)? in (\S+|the body)\./.exec(
        because,
      );
      const value = corrected.exec(because);
      if (renamed !== null) {
        const names = `${renamed[1]}`.split(', ').map((pair) => pair.split(' to '));
        const unknown = renamed[2] && /has unknown fields: (.*?)\. Rename/.exec(because)?.[1];
        const others = unknown
          ? unknown.split(', ').filter((name) => !names.some(([from]) => from === name))
          : [];
        body = change(body, `${renamed[3]}`, (at) =>
          omit(rename(at, new Map(names as [string, string][])), others),
        );
      } else if (omitted !== null)
        body = change(body, `${omitted[2]}`, (at) => omit(at, `${omitted[1]}`.split(', ')));
      else if (value !== null) body = change(body, `${value[1]}`, () => JSON.parse(`${value[2]}`));
      else throw new Error(`No correction: ${because}`);
      const isLast = !/more problems?\.$/.test(because);
      if (isLast) expect([because, (await caller.send(path, body)).status]).not.toEqual([because, 400]);
    }
    throw new Error(`Not corrected: ${JSON.stringify(given)}`);
  }

  const rename = (value: unknown, names: ReadonlyMap<string, string>): unknown =>
    Object.fromEntries(
      Object.entries(value as object).map(([name, field]) => [names.get(name) ?? name, field]),
    );

  const omit = (value: unknown, names: readonly string[]): unknown =>
    Object.fromEntries(Object.entries(value as object).filter(([name]) => !names.includes(name)));

  function change(value: unknown, path: string, to: (at: unknown) => unknown): unknown {
    const keys = path === 'the body' ? [] : path.split(/[.[\]]+/).filter((key) => key !== '');
    const at = (node: unknown, [key, ...rest]: readonly string[]): unknown => {
      if (key === undefined) return to(node);
      if (Array.isArray(node)) return node.map((item, i) => (`${i}` === key ? at(item, rest) : item));
      return { ...(node as object), [key]: at((node as Record<string, unknown> | undefined)?.[key], rest) };
    };
    return at(value, keys);
  }

  /** Every place in a value. */
  const listPaths = (value: unknown, at: readonly string[] = []): (readonly string[])[] =>
    isObject(value) || Array.isArray(value)
      ? [at, ...Object.entries(value).flatMap(([key, item]) => listPaths(item, [...at, key]))]
      : [at];

  const bodies: readonly (readonly [path: string, body: object])[] = [
    ...configurationResources.map(
      (resource) =>
        [
          '/chat/changes',
          {
            operationId: crypto.randomUUID(),
            change: { action: `create-${resource}`, data: data[resource] },
          },
        ] as const,
    ),
    ['/chat/read', { resource: 'friends', accountId: shop, search: 'a', offset: 0, limit: 5 }],
    ['/chat/read', { resource: 'messages', accountId: shop, userId: `U${'0'.repeat(32)}` }],
    ['/studio/read', { resource: 'documents', projectId: shop, query: 'a' }],
    ['/sites/demo-site/keywords', { keywords: ['a', 'b'], group: 'c' }],
  ];

  it('is accepted when it is sent, whatever was wrong', async () => {
    const { mock, caller } = openDecided({ monthlyLimit: 'off' });
    let corrections = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...bodies),
        fc.nat(),
        fc.constantFrom(undefined, null, 0, -1, 1.5, 2e9, true, '', 'x', 'y'.repeat(6000), [], {}, ['z'], {
          z: 1,
        }),
        async ([path, body], place, value) => {
          const paths = listPaths(body).slice(1);
          const at = paths[place % paths.length] ?? [];
          corrections += await correct(
            mock,
            caller,
            path,
            change(body, at.join('.'), () => value),
          );
        },
      ),
      { numRuns: 400 },
    );
    expect(corrections).toBeGreaterThan(100);
  });

  it.each<[string, object]>([
    ['/chat/read', { resource: 'freinds', offest: 1, limit: 900 }],
    ['/chat/read', { resource: 'message', userid: 'x', accountId: shop }],
    ['/studio/read', { resource: 'documnet' }],
    [
      '/chat/changes',
      { operationID: 'x', change: { action: 'create-tag', data: { nmae: '', colour: 'pnik' } } },
    ],
    [
      '/chat/changes',
      { operationId: shop, change: { action: 'create-tags', data: { naem: 'a', nmae: 1, x: 1 } } },
    ],
  ])('is accepted when it is sent, if words are misspelled: %s %j', async (path, body) => {
    const { mock, caller } = openDecided();
    expect(await correct(mock, caller, path, body)).toBeGreaterThan(0);
  });

  it.each<[string, object, string]>([
    ['/chat/read', { resource: 'freinds' }, 'A valid value of resource: "friends".'],
    [
      '/chat/read',
      { resource: 'tag', offest: 2 },
      'A valid value of the body: {"resource":"tags","offset":2}.',
    ],
    [
      '/chat/changes',
      { operationId: shop, change: { action: 'create-tags', data: { name: 'a', color: 'purpel' } } },
      'A valid value of change.data.color: "purple".',
    ],
  ])('is what was probably meant: %s %j', async (path, body, correction) => {
    const { mock, caller } = openDecided();
    await caller.send(path, body);
    expect(lastBecause(mock)).toContain(correction);
    expect(mock.requests.list().at(-1)?.decidedBy.problems?.[0]?.correction).toBe(correction);
  });

  it('says what to leave out', async () => {
    const { mock, caller } = openDecided();
    await caller.apply({ action: 'create-tags', data: { ...data.tags, more: 1, other: 2 } });
    expect(lastBecause(mock)).toBe(
      'change.data has unknown fields: more, other. Omit the unknown fields of change.data.',
    );
  });

  it('is not known if the log no longer has the body', async () => {
    const { mock, caller } = openDecided({ logBytes: 0 });
    await caller.read({ resource: 'tags', limit: 99 });
    expect(lastBecause(mock)).toBe('limit must be at most 50.');
  });

  it('does not keep a large body that was refused', async () => {
    const { mock, caller } = openDecided();
    await caller.read({ resource: 'tags', [`x${'y'.repeat(100_000)}`]: 1 });
    expect(lastBecause(mock).length).toBeLessThan(500);
  });
});
