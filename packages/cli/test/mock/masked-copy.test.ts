import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMock, type SeedDocument } from '@orgchat/mock-server';
import { configurationResources } from '@orgchat/spec';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Harness } from '../../test-support/harness.ts';
import { createRichOrganization, createTexts } from '../../test-support/rich-organization.ts';
import { seedFrom, toSeed } from '../../test-support/seeded.ts';

const cli = new Harness({ inProcess: true });
beforeAll(() => cli.start(), 60_000);
afterAll(() => cli.end());

const run = (seed: SeedDocument, ...args: string[]) => seedFrom(cli, seed, ...args);

async function copyMasked(seed: SeedDocument): Promise<{ text: string; seed: SeedDocument }> {
  const { code, stdout, stderr } = await run(
    seed,
    '--from-organization',
    '--with-friends',
    'all',
    '--with-studio',
  );
  if (code !== 0) throw new Error(stderr);
  return { text: stdout, seed: JSON.parse(stdout) as SeedDocument };
}

type Row = Readonly<Record<string, unknown>>;

/** Everything that the API reads of an organization. */
async function readAll(seed: SeedDocument): Promise<Record<string, unknown>> {
  const mock = createMock({ seed, rateLimit: 'off' });
  const call = async (path: string, body: Row): Promise<Row> => {
    const headers = { Authorization: 'Bearer demo-write-key', 'Content-Type': 'application/json' };
    const response = await mock.fetch(`${mock.baseUrl}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Row;
  };
  const read = (body: Row): Promise<Row> => call('/chat/read', body);
  const all: Record<string, unknown> = {};
  for (const resource of ['accounts', ...configurationResources, 'friends', 'conversations'])
    all[resource] = await read({ resource });
  const records = (name: string): Row[] => (all[name] as { records: Row[] }).records;
  for (const { accountId, userId } of records('friends')) {
    for (const resource of ['messages', 'friend-automations'])
      all[`${resource} ${Object.keys(all).length}`] = await read({ resource, accountId, userId });
  }
  for (const { id } of records('forms')) all.submissions = await read({ resource: 'form-submissions', id });
  for (const { id } of records('links')) all.clicks = await read({ resource: 'link-clicks', id });
  const { projects } = (await call('/studio/read', { resource: 'projects' })) as { projects: Row[] };
  for (const { id } of projects) {
    const listed = (await call('/studio/read', { resource: 'documents', projectId: id })) as {
      documents: Row[];
    };
    for (const { id: documentId } of listed.documents)
      all.document = await call('/studio/read', { resource: 'document', projectId: id, documentId });
    all.documents = listed;
  }
  return all;
}

const ids = /[0-9a-f]{8}-[0-9a-f-]{27}|U[0-9a-f]{32}/g;

/** The structure of a value: texts by length, and ids by the order in which they appear. */
function shapeOf(value: unknown): unknown {
  const seen: string[] = [];
  const number = (id: string): string => {
    if (!seen.includes(id)) seen.push(id);
    return `id ${seen.indexOf(id)}`;
  };
  const names: Record<string, true> = { revision: true };
  const walk = (part: unknown, isAnswers = false): unknown => {
    if (typeof part === 'string') {
      const found = part.match(ids);
      return found === null ? [...part].length : [[...part].length, found.map(number)];
    }
    if (Array.isArray(part)) return part.map((item) => walk(item));
    if (typeof part !== 'object' || part === null) return part;
    return Object.entries(part).flatMap(([name, inner]) =>
      names[name] ? [] : [[isAnswers ? name.length : name, walk(inner, name === 'values')]],
    );
  };
  return walk(value);
}

describe('a masked copy of an organization', () => {
  test('has no text, name or id of it, and reads the same otherwise', async () => {
    const { texts, text } = createTexts();
    const original = toSeed(createRichOrganization(text));
    const copy = await copyMasked(original);
    expect(texts.length).toBeGreaterThan(60);
    expect(texts.filter((one) => copy.text.includes(one))).toEqual([]);
    expect(copy.text).not.toMatch(/c0de-4bad|c0de4bad|acme|real-secret/);
    expect(shapeOf(await readAll(copy.seed))).toEqual(shapeOf(await readAll(original)));
    expect((await copyMasked(original)).text).toBe(copy.text);
  });

  test('of any texts contains none of them', async () => {
    const generated = fc.infiniteStream(
      fc.oneof(
        fc.string({ unit: 'grapheme', minLength: 8, maxLength: 18 }),
        // No text of a record has NUL.
        fc.string({ unit: 'binary-ascii', minLength: 8, maxLength: 20 }).filter((one) => !one.includes('\0')),
        fc.emailAddress().filter((email) => email.length <= 20),
      ),
    );
    await fc.assert(
      fc.asyncProperty(generated, async (stream) => {
        const texts: string[] = [];
        const next = createTexts();
        const original = toSeed(
          createRichOrganization((kind) => {
            if (kind !== 'text') return next.text(kind);
            let found = '';
            while ([...found].length < 8 || [...found].length > 20)
              found = String(stream.next().value).trim();
            texts.push(found);
            return found;
          }),
        );
        const copy = await copyMasked(original);
        const written = JSON.stringify(copy.seed);
        const quoted = (one: string): string => JSON.stringify(one).slice(1, -1);
        expect([...texts, ...next.texts].filter((one) => written.includes(quoted(one)))).toEqual([]);
        expect(shapeOf(await readAll(copy.seed))).toEqual(shapeOf(await readAll(original)));
      }),
      { seed: Number(process.env.ORGCHAT_TEST_SEED ?? 16), numRuns: 6 },
    );
  });

  test('is configuration only, unless more is asked for', async () => {
    const original = toSeed(createRichOrganization(createTexts().text));
    const { json } = await run(original, '--from-organization');
    const [organization] = (json as unknown as SeedDocument).organizations;
    expect([organization?.friends, organization?.projects]).toEqual([[], []]);
    expect(organization?.forms?.[0]?.submissions).toBeUndefined();
    expect(organization?.tags).toHaveLength(3);
    const newest = await run(original, '--from-organization', '--with-friends', '1');
    const [copied] = (newest.json as unknown as SeedDocument).organizations;
    expect(copied?.friends?.map(({ createdAt }) => createdAt)).toEqual(['2026-01-13T09:00:00.000Z']);
  });

  test('is a file that only its owner can read, also if there was one before', async () => {
    const original = toSeed(createRichOrganization(createTexts().text));
    const [fresh, existing] = ['fresh.json', 'existing.yaml'].map((name) => join(cli.folder, name));
    writeFileSync(existing ?? '', 'old');
    chmodSync(existing ?? '', 0o644);
    for (const file of [fresh, existing]) {
      const { code, stdout, stderr } = await run(original, '--from-organization', '-o', file ?? '');
      expect([code, stdout]).toEqual([0, '']);
      expect(stderr).toContain('The seed contains 3 tags, 1 template');
      expect(stderr).toContain('masked');
      expect(statSync(file ?? '').mode & 0o777).toBe(0o600);
      await createMock({ seed: file ?? '' });
    }
  });
});

test('a copy that is not masked is the organization, and says what it contains', async () => {
  const { text, texts } = createTexts();
  const original = toSeed(createRichOrganization(text));
  const args = ['--from-organization', '--with-friends', 'all', '--with-studio', '--no-mask', '--quiet'];
  const { code, stdout, stderr } = await run(original, ...args);
  expect(code).toBe(0);
  expect(stderr).toMatch(/warning: The seed contains real data.*3 friends with 6 messages, 1 document\./);
  const copy = JSON.parse(stdout) as SeedDocument;
  expect(await readAll(copy)).toEqual(await readAll(original));
  expect(texts.length).toBeGreaterThan(60);
  expect(stdout).not.toContain('real-secret-key');
});
