export { defaultJournalDir, type FileJournalOptions, fileJournal } from './journal/file/file-journal.ts';
