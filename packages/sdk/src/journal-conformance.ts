export {
  type ConformanceCase,
  type ConformanceOptions,
  journalConformance,
} from './journal/conformance/journal-conformance.ts';
