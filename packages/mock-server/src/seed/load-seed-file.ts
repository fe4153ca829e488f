import { readFileSync } from 'node:fs';
import { isNode, LineCounter, parseDocument } from 'yaml';
import type { World } from '../world/world.ts';
import { type LoadOptions, loadDocument } from './load-world.ts';
import { SeedError } from './seed-error.ts';

/** Maximum number of nodes that YAML aliases may expand to, so that a small file cannot grow without bound. */
const maxAliasCount = 10_000;

/** Loads a seed file, YAML or JSON; throws a `SeedError` with path and line if it is invalid. */
export function loadSeedFile(file: string, loadOptions: LoadOptions): World {
  return loadSeedText(readFileSync(file, 'utf8'), loadOptions, file);
}

/** Loads a seed from text; `file` is its name in errors. */
function loadSeedText(text: string, loadOptions: LoadOptions, file?: string): World {
  const lines = new LineCounter();
  const json = parseJson(text);
  if (json !== undefined) {
    try {
      return loadDocument(json, loadOptions);
    } catch (error) {
      // Parsed again below by a parser that knows line numbers.
      if (!(error instanceof SeedError)) throw error;
    }
  }
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw new SeedError(broken.message, [], lines.linePos(broken.pos[0]).line, file);
  }
  try {
    return loadDocument(document.toJS({ maxAliasCount }), loadOptions);
  } catch (error) {
    if (!(error instanceof SeedError)) throw error;
    throw error.at(findLine(document, error.path, lines), file);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The line of a path, or of the innermost part of the path that exists. */
function findLine(
  document: ReturnType<typeof parseDocument>,
  path: readonly PropertyKey[],
  lines: LineCounter,
): number | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}
