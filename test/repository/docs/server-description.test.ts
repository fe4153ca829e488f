import { readFileSync } from 'node:fs';
import { resolveServer, type ServerDescription } from '@orgchat/spec';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

type Given = Required<ServerDescription>;
/** Everything that a description can say: the compiler asks for each key. */
interface Everything extends Omit<Given, 'codes' | 'checked' | 'shapes' | 'limits' | 'behavior'> {
  readonly checked: Required<NonNullable<Given['checked']>>;
  readonly shapes: Omit<Required<NonNullable<Given['shapes']>>, 'resources'>;
  readonly limits: Required<NonNullable<Given['limits']>>;
  readonly behavior: Required<NonNullable<Given['behavior']>>;
}
const keys = {
  server: 1,
  contract: '0.1.0',
  checked: { at: '2026-11-25', organization: '9f3c', requests: 45 },
  shapes: {
    list: { records: '/r', total: '/t', limited: '/l', order: 'newest' },
    one: '/o',
    record: { revision: '/r', label: '/l', data: '', rename: {} },
    row: { guards: true, data: true },
    result: { create: null, update: null, delete: null, friend: null, enroll: null },
  },
  limits: { pageSize: 1, perMinute: 1, retryAfter: 'seconds' },
  behavior: {
    replayCompares: 'input',
    refusedIdIsFree: true,
    duplicateNames: 'accepted',
    unknownReference: 'accepted',
    onDelete: 'keep',
    requestIdOn2xx: true,
    trims: true,
    dates: 'ms',
  },
  unknown: [],
} as const satisfies Everything;

const listKeys = (value: object, path: string): string[] =>
  Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0
      ? listKeys(inner, `${path}${name}.`)
      : [`${path}${name}`],
  );

const page = readFileSync(new URL('../../../docs/server-description.md', import.meta.url), 'utf8');

it('the page has a row for each key of the format', () => {
  for (const key of [...listKeys(keys, ''), 'codes', 'shapes.resources'])
    expect(page).toMatch(new RegExp(`\\|[^|]*\`${key.replaceAll('.', '\\.')}\``));
});

it('the example of the page is a valid description', () => {
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  expect(resolveServer(parse(example)).problem).toBeUndefined();
});
