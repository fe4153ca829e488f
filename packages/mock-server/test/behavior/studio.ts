import { studioDocument, studioDocuments, studioProjects, studioSingleDocument } from '@orgchat/spec';
import { describe, expect, it } from 'vitest';
import { deriveUuid } from '../../src/primitives/digest.ts';
import { nobody } from '../../test-support/data.ts';
import type { MockUnderTest } from '../../test-support/mock-under-test.ts';

const website = deriveUuid('website');
const rebrand = deriveUuid('rebrand');

export function studioTests(subject: MockUnderTest): void {
  const read = async (input: object) => (await subject.caller.studio(input)).body;

  describe('Studio', () => {
    it('[4.5.4] [4.5.13] [4.5.22] to [4.5.26] projects, newest first, with their filters', async () => {
      const all = await read({ resource: 'projects' });
      expect(studioProjects.strict().safeParse(all).success).toBe(true);
      expect([all.total, all.next]).toEqual([3, null]);
      const times = all.projects.map(({ updatedAt }) => updatedAt);
      expect(times).toEqual(times.slice().sort().reverse());
      expect((await read({ resource: 'projects', archived: true })).projects.map(({ id }) => id)).toEqual([
        rebrand,
      ]);
      expect((await read({ resource: 'projects', archived: false })).total).toBe(2);
      expect((await read({ resource: 'projects', query: ' WEB ' })).projects.map(({ id }) => id)).toEqual([
        website,
      ]);
      expect((await read({ resource: 'projects', query: 'web', archived: true })).total).toBe(0);
    });

    it('[4.5.14] [4.5.18] [4.5.20] [4.5.21] [4.5.27] to [4.5.30] documents in pages of 50, without bodies', async () => {
      const first = await read({ resource: 'documents', projectId: website });
      expect(studioDocuments.strict().safeParse(first).success).toBe(true);
      expect([first.documents.length, first.total]).toEqual([50, 60]);
      expect(first.project.id).toBe(website);
      expect(first.documents.every((document) => !('body' in document))).toBe(true);
      expect(first.next?.length).toBeLessThanOrEqual(80);
      const second = await read({ resource: 'documents', projectId: website, cursor: first.next });
      expect([second.documents.length, second.total, second.next]).toEqual([10, 60, null]);
      const all = [...first.documents, ...second.documents];
      expect(new Set(all.map(({ id }) => id)).size).toBe(60);
      const times = all.map(({ updatedAt }) => updatedAt);
      expect(times).toEqual(times.slice().sort().reverse());
      const kinds = await read({ resource: 'documents', projectId: website, kind: 'brand' });
      expect(kinds.total).toBe(15);
      expect(
        (await read({ resource: 'documents', projectId: website, kind: 'note', query: 'note 4' })).total,
      ).toBe(4);
    });

    it('[4.5.6] [4.5.15] [4.5.31] to [4.5.35] one document with its body', async () => {
      const [summary] = (await read({ resource: 'documents', projectId: rebrand })).documents;
      const single = await read({
        resource: 'document',
        projectId: rebrand,
        documentId: summary?.id.toUpperCase(),
      });
      expect(studioSingleDocument.strict().safeParse(single).success).toBe(true);
      expect(studioDocument.strict().safeParse(single.document).success).toBe(true);
      expect(single.document).toMatchObject(summary ?? {});
      expect(single.document.body).toContain('# ');
      const elsewhere = { resource: 'document', projectId: website, documentId: summary?.id };
      for (const input of [
        elsewhere,
        { resource: 'document', projectId: rebrand, documentId: nobody },
        { resource: 'document', projectId: nobody, documentId: summary?.id },
        { resource: 'documents', projectId: nobody },
      ]) {
        const { status, body } = await subject.caller.studio(input);
        expect({ input, status, error: body.error }).toEqual({ input, status: 404, error: 'NOT_FOUND' });
      }
    });

    it('[4.5.9] [4.5.18] cursors survive changes, and are valid only for their list', async () => {
      const { caller, mock } = subject;
      const page = (cursor: unknown) => read({ resource: 'documents', projectId: website, cursor });
      const first = await read({ resource: 'documents', projectId: website });
      const cursor = first.next ?? '';
      const before = (await page(cursor)).documents;
      mock.edit({ resource: 'documents', id: first.documents[3]?.id ?? '', data: { title: 'Moved' } });
      expect((await page(cursor)).documents).toEqual(before);
      expect((await read({ resource: 'documents', projectId: website })).documents[0]?.title).toBe('Moved');
      const refused = [
        '',
        'x',
        `${cursor}0`,
        cursor.slice(1),
        `1${cursor.slice(1)}`,
        cursor.slice(0, -1) + (cursor.endsWith('0') ? '1' : '0'),
        'x'.repeat(81),
        null,
      ];
      for (const given of refused) {
        const { status, body } = await caller.studio({
          resource: 'documents',
          projectId: website,
          cursor: given,
        });
        expect({ given, status, error: body.error }).toEqual({ given, status: 400, error: 'INVALID_INPUT' });
      }
      for (const other of [
        { resource: 'projects', cursor },
        { resource: 'documents', projectId: rebrand, cursor },
      ]) {
        expect((await caller.studio(other)).status).toBe(400);
      }
      expect((await page(cursor)).documents).toHaveLength(10);
    });

    it('[4.5.2] [4.5.3] [4.5.7] [4.5.8] [4.5.10] [4.5.11] [4.5.12] [4.5.37] rejects fields that a variant does not have', async () => {
      const refused: object[] = [
        {},
        { resource: 'document' },
        { resource: 'documents' },
        { resource: 'projects', projectId: website },
        { resource: 'projects', kind: 'note' },
        { resource: 'projects', archived: 'true' },
        { resource: 'projects', query: 'x'.repeat(101) },
        { resource: 'documents', projectId: 'x' },
        { resource: 'documents', projectId: website, archived: true },
        { resource: 'documents', projectId: website, kind: 'other' },
        { resource: 'document', projectId: website, documentId: nobody, query: 'x' },
      ];
      for (const input of refused) {
        expect({ input, status: (await subject.caller.studio(input)).status }).toEqual({
          input,
          status: 400,
        });
      }
    });
  });
}
