export { type AtomicDirectory, getErrorCode, openAtomicDirectory, shortDigest } from './atomic-directory.ts';
export { withFileLock } from './file-lock.ts';
export { makeFolder } from './make-folder.ts';
export {
  getThisProcess,
  isAlive,
  isThisProcess,
  type ProcessFacts,
  type ProcessIdentity,
  readProcessFacts,
} from './process-identity.ts';
export { checkReplaceable, replaceFile, type WriteText } from './replace-file.ts';
