import { limits, type StudioReadInput } from '@orgchat/spec';
import { sha256 } from '../primitives/platform.ts';
import type { Entry } from '../records/entry.ts';
import { type OrderedCollection, toSortKey } from '../records/ordered-collection.ts';
import { allProjects, type Organization } from '../records/organization.ts';
import { ApiError } from '../request/api-error.ts';
import type { ApplyResult, RequestContext } from '../request/context.ts';
import { RecordNotFound, requireRuntime } from '../request/requirements.ts';
import type { World } from '../world/world.ts';

type Read<R extends StudioReadInput['resource']> = Extract<StudioReadInput, { resource: R }>;

/** Reads projects, the documents of a project, or one document with its body (section 4.5). */
export function readStudio({ world, caller }: RequestContext, input: StudioReadInput): ApplyResult {
  const { organization } = caller;
  const after = input.resource === 'document' ? undefined : parseCursor(world, organization, input);
  requireRuntime(organization);
  if (!organization.settings.studio) {
    const cause = { reason: 'studio-disabled' } as const;
    throw new ApiError('NOT_FOUND', cause, {
      en: 'Studio is not enabled.',
      ja: 'Studioは有効になっていません。',
    });
  }
  return { status: 200, body: read(world, organization, input, after) };
}

/** The list that a cursor belongs to. The caller repeats its filters, so they are not part of it. */
const getListName = (organization: Organization, input: Read<'projects' | 'documents'>): string =>
  `${organization.id} ${input.resource === 'projects' ? allProjects : input.projectId}`;

const getCursorSecret = (world: World): string => `studio cursors ${world.random.seed}`;

function parseCursor(
  world: World,
  organization: Organization,
  input: Read<'projects' | 'documents'>,
): string | undefined {
  if (input.cursor === undefined) return undefined;
  const position = verifyCursor(getCursorSecret(world), getListName(organization, input), input.cursor);
  if (position !== undefined) return position;
  throw new ApiError(
    'INVALID_INPUT',
    { reason: 'foreign-cursor' },
    {
      en: 'cursor was not issued for this list.',
      ja: 'cursor: この一覧のカーソルではありません。',
    },
  );
}

function read(
  world: World,
  organization: Organization,
  input: StudioReadInput,
  after: string | undefined,
): string {
  const { projects, documents } = organization.stored;
  if (input.resource === 'projects') {
    const { page, tail } = readPage(world, organization, input, projects, allProjects, after);
    return `{"projects":[${page.map(({ json }) => json).join(',')}]${tail}}`;
  }
  const project = projects.get(allProjects, input.projectId);
  if (project === undefined) throw new RecordNotFound('project', input.projectId);
  if (input.resource === 'document') {
    const document = documents.get(project.id, input.documentId);
    if (document === undefined) throw documentNotFound(organization, input.documentId);
    return `{"project":${project.json},"document":${document.json}}`;
  }
  const { page, tail } = readPage(world, organization, input, documents, project.id, after);
  return `{"project":${project.json},"documents":[${page.map(summary).join(',')}]${tail}}`;
}

/** A 404 that knows whether another project has the document. */
function documentNotFound({ stored }: Organization, id: string): RecordNotFound {
  for (const project of stored.projects.inArrivalOrder(allProjects)) {
    if (stored.documents.get(project.id, id) === undefined) continue;
    const cause = { reason: 'other-project', record: 'document', id, projectId: project.id } as const;
    return new RecordNotFound('document', id, cause);
  }
  return new RecordNotFound('document', id);
}

/** A document in a list: without its body. */
const summary = ({ fields: { id, title, kind, updatedAt } }: Entry): string =>
  JSON.stringify({ id, title, kind, updatedAt });

function readPage(
  world: World,
  organization: Organization,
  input: Read<'projects' | 'documents'>,
  collection: OrderedCollection,
  parent: string,
  after: string | undefined,
): { page: readonly Entry[]; tail: string } {
  const { entries, total, more } = collection.page(parent, after, limits.pageSize, createFilter(input));
  const last = entries[entries.length - 1];
  const next =
    more && last !== undefined
      ? signCursor(getCursorSecret(world), getListName(organization, input), toSortKey(last))
      : null;
  return { page: entries, tail: `,"total":${total},"next":${JSON.stringify(next)}` };
}

function createFilter(input: Read<'projects' | 'documents'>): ((entry: Entry) => boolean) | undefined {
  const query = (input.query ?? '').toLowerCase();
  if (input.resource === 'projects') {
    const { archived } = input;
    if (query === '' && archived === undefined) return undefined;
    return ({ fields }) =>
      (archived === undefined || fields.archived === archived) && contains(fields.name, query);
  }
  const { kind } = input;
  if (query === '' && kind === undefined) return undefined;
  return ({ fields }) => (kind === undefined || fields.kind === kind) && contains(fields.title, query);
}

const contains = (value: unknown, part: string): boolean => (value as string).toLowerCase().includes(part);

const signatureLength = 24;

/**
 * Creates a Studio cursor: the position after which a page begins, and a signature for that position in that list. A
 * cursor that was changed or belongs to another list is rejected (D89).
 */
function signCursor(secret: string, list: string, position: string): string {
  return position + signature(secret, list, position);
}

/** The position of a cursor; undefined if the cursor was not issued for this list. */
function verifyCursor(secret: string, list: string, cursor: string): string | undefined {
  const position = cursor.slice(0, -signatureLength);
  return position !== '' && signCursor(secret, list, position) === cursor ? position : undefined;
}

const signature = (secret: string, list: string, position: string): string =>
  sha256(JSON.stringify([secret, list, position])).slice(0, signatureLength);
