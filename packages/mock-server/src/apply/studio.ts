import { limits, type StudioReadInput } from '@orgchat/spec';
import { openCursor, sealCursor } from '../cursor.ts';
import type { Applied, Exchange } from '../exchange.ts';
import { Refusal } from '../refusal.ts';
import type { Entry } from '../store/entry.ts';
import type { Organization } from '../store/organization.ts';
import { placeOf, type Shelf } from '../store/shelf.ts';
import type { World } from '../world.ts';
import { needRuntime } from './runtime.ts';
import { Missing } from './visible.ts';

type Read<R extends StudioReadInput['resource']> = Extract<StudioReadInput, { resource: R }>;

/** The parent all projects have on their shelf. */
export const allProjects = 'projects';

/** Clauses 4.5: projects, the documents of one, or one document with its body. */
export function readStudio({ world, caller }: Exchange, input: StudioReadInput): Applied {
  const { organization } = caller;
  const after = input.resource === 'document' ? undefined : placeIn(world, organization, input);
  needRuntime(organization);
  if (!organization.settings.studio) {
    throw new Refusal('NOT_FOUND', { en: 'Studio is not enabled.', ja: 'Studioは有効になっていません。' });
  }
  return { status: 200, body: read(world, organization, input, after) };
}

/** The list a cursor belongs to; filters are repeated by the caller and are no part of it. */
const listName = (organization: Organization, input: Read<'projects' | 'documents'>): string =>
  `${organization.id} ${input.resource === 'projects' ? allProjects : input.projectId}`;

const secretOf = (world: World): string => `studio cursors ${world.chance.seed}`;

function placeIn(
  world: World,
  organization: Organization,
  input: Read<'projects' | 'documents'>,
): string | undefined {
  if (input.cursor === undefined) return undefined;
  const place = openCursor(secretOf(world), listName(organization, input), input.cursor);
  if (place !== undefined) return place;
  throw new Refusal('INVALID_INPUT', {
    en: 'cursor was not issued for this list.',
    ja: 'cursor: この一覧のカーソルではありません。',
  });
}

function read(
  world: World,
  organization: Organization,
  input: StudioReadInput,
  after: string | undefined,
): string {
  const { projects, documents } = organization.stored;
  if (input.resource === 'projects') {
    const { page, tail } = pageOf(world, organization, input, projects, allProjects, after);
    return `{"projects":[${page.map(({ json }) => json).join(',')}]${tail}}`;
  }
  const project = projects.get(allProjects, input.projectId);
  if (project === undefined) throw new Missing('projects');
  if (input.resource === 'document') {
    const document = documents.get(project.id, input.documentId);
    if (document === undefined) throw new Missing('documents');
    return `{"project":${project.json},"document":${document.json}}`;
  }
  const { page, tail } = pageOf(world, organization, input, documents, project.id, after);
  return `{"project":${project.json},"documents":[${page.map(summary).join(',')}]${tail}}`;
}

/** A document as it stands in lists: without its body. */
const summary = ({ fields: { id, title, kind, updatedAt } }: Entry): string =>
  JSON.stringify({ id, title, kind, updatedAt });

function pageOf(
  world: World,
  organization: Organization,
  input: Read<'projects' | 'documents'>,
  shelf: Shelf,
  parent: string,
  after: string | undefined,
): { page: readonly Entry[]; tail: string } {
  const { entries, total, more } = shelf.page(parent, after, limits.pageSize, filterOf(input));
  const last = entries[entries.length - 1];
  const next =
    more && last !== undefined
      ? sealCursor(secretOf(world), listName(organization, input), placeOf(last))
      : null;
  return { page: entries, tail: `,"total":${total},"next":${JSON.stringify(next)}` };
}

function filterOf(input: Read<'projects' | 'documents'>): ((entry: Entry) => boolean) | undefined {
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
