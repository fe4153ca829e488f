import { type Document, isCollection, isScalar, type LineCounter, parseDocument as parse, visit } from 'yaml';

/* A file of its own, so that `await import()` gives these names: a dynamic import of a CommonJS package would not. */
export {
  Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  stringify,
  visit,
  YAMLMap,
  YAMLSeq,
} from 'yaml';

interface ParseOptions {
  readonly lineCounter?: LineCounter;
  readonly compat?: 'yaml-1.1';
}

/** Parses YAML. What is wrong with it is for the caller to report: see `findYamlProblems`. */
export const parseDocument = (text: string, options: ParseOptions = {}): Document =>
  parse(text, { prettyErrors: false, logLevel: 'error', ...options });

/** A mistake in YAML, and its offset in the text. */
interface YamlProblem {
  readonly at: number;
  /** Without a period. */
  readonly message: string;
}

/** The errors of a document up to its first mistake in the syntax. Those behind it only follow from it. */
function listErrors({ errors }: Document): Document['errors'] {
  const sorted = errors.toSorted((one, other) => one.pos[0] - other.pos[0]);
  const broken = sorted.findIndex(({ code }) => code !== 'DUPLICATE_KEY');
  return broken === -1 ? sorted : sorted.slice(0, broken + 1);
}

/** Finds what is not valid, and what would be read as something else than was meant. */
export function findYamlProblems(document: Document): YamlProblem[] {
  const problems = [...listErrors(document), ...document.warnings].map(
    ({ code, message, pos }): YamlProblem => {
      const isSeveral = code === 'MULTIPLE_DOCS';
      return {
        at: pos[0],
        message: isSeveral ? 'it contains several documents; only one is allowed' : message,
      };
    },
  );
  visit(document, {
    Pair: (_at, { key }) => {
      const at = (isScalar(key) || isCollection(key) ? key.range?.[0] : undefined) ?? 0;
      if (isCollection(key)) problems.push({ at, message: 'a key must be a text, not a list or an object' });
      // In a document with %YAML 1.1 or a tag, the key is a symbol.
      if (isScalar(key) && (key.value === '<<' || typeof key.value === 'symbol'))
        problems.push({
          at,
          message: 'merge keys (<<) are not supported; write the fields, or use an alias as a value',
        });
    },
  });
  return problems;
}
