export type { EncryptionKey } from './journal/encrypted/cipher.ts';
export { type EncryptedJournalOptions, encryptedJournal } from './journal/encrypted/encrypted-journal.ts';
export { defaultJournalDir, type FileJournalOptions, fileJournal } from './journal/file/file-journal.ts';
export { type FileCursorOptions, fileCursor } from './watch/file-cursor.ts';
