export { type ConformanceCase, type ConformanceOptions, journalConformance } from './journal/conformance.ts';
