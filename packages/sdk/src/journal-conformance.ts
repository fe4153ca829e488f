export { type ConformanceCase, journalConformance } from './journal/conformance.ts';
