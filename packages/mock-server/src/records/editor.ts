import type { Entry } from './entry.ts';

/** Who made a version of a record other than by a request of the API. */
export type Editor =
  | { readonly kind: 'control' }
  | { readonly kind: 'fault'; readonly id: string }
  /** The deletion of a record that it referred to, in a request. */
  | { readonly kind: 'deletion'; readonly record: string; readonly id: string; readonly requestId: string };

/** Kept apart from the entries: only a few have an editor, and each field costs memory in all of them. */
const editors = new WeakMap<Entry, Editor>();

export const setEditor = (entry: Entry, editor: Editor): void => void editors.set(entry, editor);

/** The editor of a version of a record; undefined if a request of the API made it, or the mock started with it. */
export const getEditor = (entry: Entry): Editor | undefined => editors.get(entry);
