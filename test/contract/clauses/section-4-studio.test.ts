import { describe, expect, it } from 'vitest';
import { nobody } from '../../../packages/mock-server/test-support/data.ts';
import { document } from '../../../spec/test-support/document.ts';
import { serve } from './service.ts';

const { caller } = serve();

describe('section 4.5: Studio', () => {
  const projectId = async (): Promise<string> =>
    (await caller.studio({ resource: 'projects', query: 'website' })).body.projects[0]?.id ?? '';

  it('[4.5.5] documents requires a project and accepts query, kind and cursor', async () => {
    const documents = async (input: object) => caller.studio({ resource: 'documents', ...input });
    const project = { projectId: await projectId() };
    expect((await documents({})).status).toBe(400);
    expect((await documents(project)).body.total).toBe(60);
    const { next } = (await documents(project)).body;
    for (const input of [{ query: 'note' }, { kind: 'note' }, { cursor: next }]) {
      const { body } = await documents({ ...project, ...input });
      expect(body.documents.length, JSON.stringify(input)).toBeLessThan(50);
      expect(body.documents.length, JSON.stringify(input)).toBeGreaterThan(0);
    }
    for (const input of [{ archived: true }, { documentId: nobody }, { limit: 1 }]) {
      expect((await documents({ ...project, ...input })).status, JSON.stringify(input)).toBe(400);
    }
  });

  it('[4.5.16] project in an answer is the requested one', async () => {
    const { projects } = (await caller.studio({ resource: 'projects' })).body;
    expect(projects.length).toBeGreaterThan(1);
    for (const project of projects) {
      const { body } = await caller.studio({ resource: 'documents', projectId: project.id });
      expect(body.project).toEqual(project);
      const document = { projectId: project.id, documentId: body.documents[0]?.id };
      expect((await caller.studio({ resource: 'document', ...document })).body.project).toEqual(project);
    }
  });

  it('[4.5.17] total is an integer or null', async () => {
    const { StudioProjects, StudioDocuments } = document.components.schemas;
    for (const schema of [StudioProjects, StudioDocuments]) {
      expect(schema?.properties?.total?.anyOf?.map(({ type }) => type)).toEqual(['integer', 'null']);
    }
    expect((await caller.studio({ resource: 'projects' })).body.total).toBe(3);
  });

  it('[4.5.19] the latest change comes first', async () => {
    const { caller, mock } = serve();
    const list = async () =>
      (await caller.studio({ resource: 'projects' })).body.projects.map(({ id }) => id);
    const before = await list();
    const last = before.at(-1) ?? '';
    mock.edit({ resource: 'projects', id: last, data: { description: 'Changed.' } });
    expect(await list()).toEqual([last, ...before.slice(0, -1)]);
  });
});
