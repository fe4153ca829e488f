import type * as z from 'zod';
import { notFound } from '../input-checks/control-error.ts';
import { allProjects } from '../records/organization.ts';
import { resolveId } from '../seed/resolve-names.ts';
import type { World } from '../world/world.ts';
import { checkDifferent } from './friends.ts';
import { injectionSchemas } from './schemas.ts';
import {
  announceRecord,
  exists,
  type InjectedRecord,
  listSome,
  openTarget,
  parseRecord,
  type Target,
  toRecord,
} from './target.ts';

/** Adds a Studio project, with documents. */
export function injectProject(world: World, value: unknown, query: unknown): InjectedRecord {
  const target = openTarget(world, query);
  const { projects } = target.organization.stored;
  const input = parseRecord(injectionSchemas().project, value);
  const { id = world.random.uuid(), documents, updatedAt = target.now, ...data } = input;
  if (projects.get(allProjects, id) !== undefined) {
    throw exists(`a project with id ${id}`, 'Leave out id to get a new one.');
  }
  for (const document of documents) checkDocumentId(target, document.id);
  checkDifferent(documents, 'documents');
  const entry = projects.put(allProjects, id, { id, ...data, updatedAt });
  world.recorder?.('project', target.organization.id, `${allProjects} ${id}`, entry);
  announceRecord(target, 'projects', entry);
  for (const document of documents) addDocument(target, id, document);
  return toRecord(entry);
}

/** Adds a document to a Studio project. The project does not change. */
export function injectDocument(
  world: World,
  projectId: string,
  value: unknown,
  query: unknown,
): InjectedRecord {
  const target = openTarget(world, query);
  const { projects } = target.organization.stored;
  const input = parseRecord(injectionSchemas().document, value);
  const project = projects.get(allProjects, resolveId(projectId));
  if (project === undefined) {
    const known = listSome('Projects', projects.inArrivalOrder(allProjects));
    throw notFound(`project with id ${projectId}`, known);
  }
  checkDocumentId(target, input.id);
  return addDocument(target, project.id, input);
}

function checkDocumentId({ organization: { stored } }: Target, id: string | undefined): void {
  if (id === undefined) return;
  for (const project of stored.projects.inArrivalOrder(allProjects)) {
    if (stored.documents.get(project.id, id) !== undefined)
      throw exists(`a document with id ${id}`, 'Leave out id to get a new one.');
  }
}

type Document = z.output<ReturnType<typeof injectionSchemas>['document']>;

function addDocument(target: Target, projectId: string, document: Document): InjectedRecord {
  const { world, organization, now } = target;
  const { id = world.random.uuid(), title, kind, updatedAt = now, body } = document;
  const entry = organization.stored.documents.put(projectId, id, { id, title, kind, updatedAt, body });
  world.recorder?.('document', organization.id, `${projectId} ${id}`, entry);
  announceRecord(target, 'documents', entry);
  return toRecord(entry);
}
