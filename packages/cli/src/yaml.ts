/* A module of its own: only so can what is read when it is needed be taken by name out of a CommonJS package. */
export {
  Document,
  isMap,
  isSeq,
  LineCounter,
  parseDocument,
  stringify,
  YAMLMap,
  YAMLSeq,
} from 'yaml';
