import type { components } from '../generated/openapi.ts';

type Schemas = components['schemas'];
type Schema<Name extends keyof Schemas> = Schemas[Name];

/* What is read and written besides messaging data: the account, keywords and Studio. */

/**
 * The organization and the key, as `account()` returns them.
 *
 * @example
 * const remaining = ({ api }: Account) => api.limit - api.used;
 * console.log(remaining(await client.account()), 'requests this month');
 */
export interface Account extends Schema<'Account'> {}
/**
 * The result for each keyword: added, or skipped because the site had it or it was sent twice.
 *
 * @example
 * const { added, skipped }: AddKeywordsResult = await client.keywords.add('demo-site', { keywords: ['summer'] });
 * console.log(added, skipped);
 */
export interface AddKeywordsResult extends Schema<'AddKeywordsResult'> {}

/**
 * A Studio project.
 *
 * @example
 * const show = ({ name, archived }: StudioProject) => (archived ? `${name} (archived)` : name);
 * console.log((await client.studio.projects().toArray()).map(show));
 */
export interface StudioProject extends Schema<'StudioProject'> {}
/**
 * A Studio document with its Markdown body.
 *
 * @example
 * const words = ({ body }: StudioDocument) => body.split(/\s+/).length;
 * console.log(words((await client.studio.document(project, documentId)).document));
 */
export interface StudioDocument extends Schema<'StudioDocument'> {}
/**
 * A Studio document without its body, as lists have it.
 *
 * @example
 * const latest: StudioDocumentSummary | undefined = await client.studio.documents(project).first();
 * console.log(latest?.title, latest?.kind);
 */
export interface StudioDocumentSummary extends Schema<'StudioDocumentSummary'> {}
/**
 * A page of Studio projects, and the cursor of the next page.
 *
 * @example
 * const { projects, next }: StudioProjects = await client.studio.projects();
 * console.log(projects.length, next === null ? 'all' : 'more');
 */
export interface StudioProjects extends Schema<'StudioProjects'> {}
/**
 * A page of the documents of a project, and the cursor of the next page.
 *
 * @example
 * const page: StudioDocuments = await client.studio.documents(project);
 * console.log(page.project.name, page.documents.length);
 */
export interface StudioDocuments extends Schema<'StudioDocuments'> {}
/**
 * One Studio document with its body, and its project.
 *
 * @example
 * const answer: StudioSingleDocument = await client.studio.document(project, documentId);
 * console.log(answer.project.name, answer.document.title);
 */
export interface StudioSingleDocument extends Schema<'StudioSingleDocument'> {}
