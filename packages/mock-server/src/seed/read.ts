import { readFileSync } from 'node:fs';
import { isNode, LineCounter, parseDocument } from 'yaml';
import type { World } from '../world.ts';
import { loadDocument, type Surroundings } from './document.ts';
import { SeedError } from './error.ts';

/** Aliases in a file may stand for this many nodes in all, so that a small file cannot grow without bound. */
const maxAliasCount = 10_000;

/** The world of a seed file, YAML or JSON; throws a `SeedError` with path and line where it does not fit. */
export function loadSeedFile(file: string, surroundings: Surroundings): World {
  return loadSeedText(readFileSync(file, 'utf8'), surroundings, file);
}

/** The same for a text; `file` is what errors call it. */
export function loadSeedText(text: string, surroundings: Surroundings, file?: string): World {
  const lines = new LineCounter();
  const json = parseJson(text);
  if (json !== undefined) {
    try {
      return loadDocument(json, surroundings);
    } catch (error) {
      // Only to say in which line it is, the text is read again by a parser that knows.
      if (!(error instanceof SeedError)) throw error;
    }
  }
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw new SeedError(broken.message, [], lines.linePos(broken.pos[0]).line, file);
  }
  try {
    return loadDocument(document.toJS({ maxAliasCount }), surroundings);
  } catch (error) {
    if (!(error instanceof SeedError)) throw error;
    throw error.at(lineOf(document, error.path, lines), file);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The line of what stands at a path, or of the innermost part of the path that is there. */
function lineOf(
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
