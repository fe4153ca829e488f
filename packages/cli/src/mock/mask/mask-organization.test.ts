import { createMock, demoSeed, type SeedDocument } from '@orgchat/mock-server';
import { configurationData } from '@orgchat/spec';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskOrganization } from './mask-organization.ts';

type Organization = SeedDocument['organizations'][number];

const [demo] = demoSeed.organizations as [Organization, ...Organization[]];

interface Place {
  readonly field: string;
  readonly text: string;
}

/** Every text of a value with the name of its field. The names of answers are texts, too. */
function placesIn(value: unknown, field = ''): Place[] {
  if (typeof value === 'string') return [{ field, text: value }];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => placesIn(item, field));
  if (typeof value !== 'object' || value === null) return [];
  const names = field === 'values' ? Object.keys(value).map((text) => ({ field: 'answer', text })) : [];
  const isAnswer = field === 'values';
  return [
    ...names,
    ...Object.entries(value).flatMap(([name, part]) => placesIn(part, isAnswer ? 'answer' : name)),
  ];
}

const textsIn = (value: unknown): string[] => placesIn(value).map(({ text }) => text);

const choices =
  'color direction kind matchType size status style target timingMode trigger type delayUnit sendTime';
const times = 'createdAt updatedAt sentAt enrolledAt submittedAt clickedAt';
const fixedFields = new Set(`${choices} ${times}`.split(' '));

/** The records of an organization. */
const recordsOf = ({ id: _id, plan: _plan, keys: _keys, ...records }: Organization): object => records;

/** An organization with one text in every place that takes one. */
function organizationOf(texts: readonly string[]): Organization {
  const at = (index: number): string => texts[index % texts.length] ?? '';
  return {
    id: 'org_real',
    keys: [{ key: 'k', name: 'k', scope: 'write' }],
    accounts: [{ id: 'main', name: at(0) }],
    tags: texts.map((name, index) => ({ id: `tag-${index}`, name, color: 'blue' as const })),
    templates: texts.map((text, index) => ({ name: at(index + 1), text })),
    links: [{ id: 'page', name: at(2), url: `https://${at(3)}/x`, tagId: null, scenarioId: null }],
    friends: texts.map((displayName, index) => ({
      accountId: 'main',
      userId: `friend-${index}`,
      displayName,
      notes: at(index + 2),
      tagIds: ['tag-0'],
      messages: [
        {
          direction: 'incoming' as const,
          text: `${at(index)} ${at(index + 3)}`,
          sentAt: '2026-01-01T00:00:00Z',
        },
      ],
    })),
  };
}

describe('a masked organization', () => {
  const masked = maskOrganization(demo);

  test('is the same each time', () => {
    expect(maskOrganization(demo)).toEqual(masked);
  });

  test('has the choices and times of the original, and no other text of it', () => {
    const originals = placesIn(recordsOf(demo));
    const words = originals.filter(({ field }) => !fixedFields.has(field)).map(({ text }) => text);
    const all = placesIn(recordsOf(masked));
    expect(all).toHaveLength(originals.length);
    for (const [index, { field, text }] of all.entries()) {
      const original = originals[index]?.text ?? '';
      if (fixedFields.has(field)) expect(text).toBe(original);
      else if (original === '') expect(text).toBe('');
      else expect(words.filter((word) => word.length >= 3 && text.includes(word))).toEqual([]);
    }
    expect(masked.id).not.toBe(demo.id);
  });

  test('has the lengths of the original', () => {
    const originals = textsIn(recordsOf(demo));
    const isId = /^(U[0-9a-f]{32}|[0-9a-f-]{36}|\{link:.*)$/;
    const lengths = textsIn(recordsOf(masked)).map((text, index) =>
      isId.test(text) ? [] : [originals[index], [...text].length],
    );
    expect(lengths).toEqual(
      lengths.map((found, index) =>
        found.length === 0 ? [] : [originals[index], [...(originals[index] ?? '')].length],
      ),
    );
  });

  test('has the references of the original', () => {
    // A mock checks all of them but the keys of answers.
    createMock({ seed: { organizations: [masked] } });
    const [form] = masked.forms ?? [];
    const keys = form?.fields.map(({ key }) => key);
    expect(Object.keys(form?.submissions?.[0]?.values ?? {})).toEqual(keys);
    expect(form?.fields[1]?.options).toEqual(form?.submissions?.[0]?.values[keys?.[1] ?? '']);
  });
});

describe('what a masked text keeps', () => {
  const maskText = (text: string): string => {
    const { templates } = maskOrganization({ ...demo, templates: [{ name: 'One', text }] });
    return templates?.[0]?.text ?? '';
  };

  test.each([
    [
      'email addresses, at a domain that does not exist',
      'Mail aiko@example-shop.com now',
      /^[A-Z][a-z]{3} [a-z]{4}@[a-z]{8,10}\.(example|invalid) [a-z]{3}$/,
    ],
    ['a short domain without a name of its own', 'a@b.co', /^[a-z]@[a-z]{4}$/],
    [
      'web addresses, with port and query',
      'https://shop.acme.jp:8080/a%20b?c=d#e',
      /^https:\/\/[a-z]+\.(example|invalid|test):8080\/[a-z]{2}\d\d[a-z]\?[a-z]=[a-z]#[a-z]$/,
    ],
    ['telephone numbers', 'tel:+81-3-1234-5678', /^tel:\+\d\d-\d-\d{4}-\d{4}$/],
    ['dates', '1990-02-31', /^(19|20)\d\d-[01]\d-[0-3]\d$/],
    ['mini-applications', '{miniapp:/points/my_card-1}', /^\{miniapp:\/[a-z]{6}\/[a-z]{2}_[a-z]{4}-\d\}$/],
    [
      'scripts and pictures',
      '千佳 🌸 はい',
      /^\p{Script=Han}{2} \p{Extended_Pictographic} \p{Script=Hiragana}{2}$/u,
    ],
    ['lines and punctuation', '# Hi!\n\n- Bob, 42%', /^# [A-Z][a-z]!\n\n- [A-Z][a-z]{2}, \d{2}%$/],
    ['nothing of punctuation alone', '!!!', /^[^!]{3}$/],
  ])('%s: %s', (_what, text, pattern) => {
    const masked = maskText(text);
    expect(masked).toMatch(pattern);
    expect(masked).not.toBe(text);
  });

  test('the link of a placeholder', () => {
    const id = '0b9d7c52-4a0f-4a4e-9d77-3f6c2b1a8e10';
    const { links, templates } = maskOrganization({
      ...demo,
      links: [{ id, name: 'Page', url: 'https://acme.jp/', tagId: null, scenarioId: null }],
      templates: [{ name: 'One', text: `See {link:${id}}!` }],
    });
    expect(templates?.[0]?.text).toMatch(/^[A-Z][a-z]{2} \{link:[0-9a-f-]{36}\}!$/);
    expect(templates?.[0]?.text).toContain(`{link:${links?.[0]?.id}}`);
    expect(links?.[0]?.id).not.toBe(id);
  });
});

test('a field that this program does not know is masked', () => {
  const tags = [
    { name: 'VIP', color: 'pink' as const, owner: { note: 'Call Aiko' }, status: 'Call Aiko, now' },
  ];
  const text = JSON.stringify(maskOrganization({ ...demo, tags }));
  expect(text).not.toContain('Aiko');
});

test('different texts stay different, also if there are more of them than letters', () => {
  const names = [...'abcdefghijklmnopqrstuvwxyzあ', 'aa', 'ab'];
  const { tags = [] } = maskOrganization(organizationOf(names));
  expect(new Set(tags.map(({ name }) => name)).size).toBe(names.length);
  expect(tags.filter(({ name }) => names.includes(name))).toEqual([]);
});

test('names of two characters appear nowhere', () => {
  const names = ['山川', '森田', '石田', 'OK'];
  const text = '山川様、石田です。'.repeat(20);
  const masked = textsIn(recordsOf(maskOrganization(organizationOf([...names, text])))).join('\n');
  expect(names.filter((name) => masked.includes(name))).toEqual([]);
});

test('a masked text does not depend on its original', () => {
  // The mask depends on the place, so a guess of the name cannot be checked.
  const [one, other] = ['Aiko', 'Emil'].map(
    (name) => maskOrganization(organizationOf([name])).tags?.[0]?.name,
  );
  const differences = [...(one ?? '')].filter((letter, index) => letter !== other?.[index]);
  expect(differences.length).toBeLessThan(4);
});

const text = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 30 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
    fc.emailAddress(),
    fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }),
    fc.constantFrom('Ken', '株式会社', 'https://', '{link:x}', '123', 'tag', 'VIP', '----', 'a.b'),
  )
  .map((value) => value.trim())
  .filter((value) => value !== '' && [...value].length <= 100);

test('any texts of 3 or more characters are not found in the masked ones, and a mock accepts the seed', () => {
  fc.assert(
    fc.property(fc.uniqueArray(text, { minLength: 1, maxLength: 12 }), (texts) => {
      const organization = organizationOf(texts);
      const masked = maskOrganization(organization);
      const { tags, templates, friends, accounts, links } = masked;
      const all = textsIn([accounts, tags?.map(({ name }) => name), templates, links, friends]).join('\n');
      const found = texts.filter(
        (original) => [...original].length >= 3 && !/^https?:\/\/$/.test(original) && all.includes(original),
      );
      expect(found).toEqual([]);
      expect(tags?.filter(({ name }) => texts.includes(name))).toEqual([]);
      expect(new Set(tags?.map(({ name }) => name)).size).toBe(texts.length);
      for (const { name, color } of tags ?? [])
        expect(configurationData.tags.safeParse({ name, color }).success).toBe(true);
      createMock({ seed: { organizations: [masked] } });
    }),
    { seed: Number(process.env.ORGCHAT_TEST_SEED ?? 16), numRuns: 200 },
  );
});
