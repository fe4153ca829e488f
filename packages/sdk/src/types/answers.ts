import type { components } from '../generated/openapi.ts';

type Schemas = components['schemas'];
type Schema<Name extends keyof Schemas> = Schemas[Name];

/* What is read and written besides messaging data: the account, keywords and Studio. */

/** The organization and the key, as `account()` returns them. */
export interface Account extends Schema<'Account'> {}
/** The result for each keyword: added, or skipped because the site had it or it was sent twice. */
export interface AddKeywordsResult extends Schema<'AddKeywordsResult'> {}

/** A Studio project. */
export interface StudioProject extends Schema<'StudioProject'> {}
/** A Studio document with its Markdown body. */
export interface StudioDocument extends Schema<'StudioDocument'> {}
/** A Studio document without its body, as lists have it. */
export interface StudioDocumentSummary extends Schema<'StudioDocumentSummary'> {}
/** A page of Studio projects, and the cursor of the next page. */
export interface StudioProjects extends Schema<'StudioProjects'> {}
/** A page of the documents of a project, and the cursor of the next page. */
export interface StudioDocuments extends Schema<'StudioDocuments'> {}
/** One Studio document with its body, and its project. */
export interface StudioSingleDocument extends Schema<'StudioSingleDocument'> {}
