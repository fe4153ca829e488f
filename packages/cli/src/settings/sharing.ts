/*
 * How processes share a folder, as they do that of the journal. These are the journal's own means, which its package
 * does not offer: what holds for who is at work on an operation is to hold here too.
 */
export { alone } from '../../../sdk/src/journal/claims.ts';
export { isAlive, thisProcess } from '../../../sdk/src/journal/owner.ts';
export { type WholeFiles, wholeFiles } from '../../../sdk/src/journal/whole-files.ts';
