import { describe, expect, it } from 'vitest';
import type { ServerDescription } from './server-description.ts';
import { findSharedPlace } from './shared-places.ts';

type Shapes = NonNullable<ServerDescription['shapes']>;
const find = (shapes: Shapes): string | undefined => findSharedPlace({ server: 1, shapes });

describe('two things at one place', () => {
  it.each<Shapes>([
    {},
    { record: { data: '/data' } },
    { record: { revision: '/meta/version', label: '/meta/title', rename: { createdAt: '/created_at' } } },
    { list: { records: '/data/rows', total: '/meta/total', limited: '/meta/limited' }, one: '' },
    // The label is a copy of this field, so both may be there.
    { resources: { tags: { record: { label: '/name' } }, broadcasts: { record: { label: '/title' } } } },
  ])('are not in %j', (shapes) => {
    expect(find(shapes)).toBeUndefined();
  });

  it('are found, with both names and where they are', () => {
    expect(find({ record: { revision: '/label' } })).toBe(
      'shapes.record: revision and label of a tag cannot both be written, at "/label" and "/label".',
    );
    expect(find({ list: { records: '/page', total: '/page/total' } })).toBe(
      'shapes.list: records and total of a list cannot both be written, at "/page" and "/page/total".',
    );
    expect(find({ resources: { friends: { record: { revision: '/notes' } } } })).toMatch(
      /revision and notes of a friend/,
    );
  });
});
