export { defaultJournalDir, type FileJournalOptions, fileJournal } from './journal/file.ts';
