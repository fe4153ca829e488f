import type { WriteText } from '@orgchat/atomic-files';
import { demoSeed, type GenerateOptions, generateSeed } from '@orgchat/mock-server';
import { isObject } from '@orgchat/spec/is-object';

/** Records of longer lists are written one per line: that is fast, and both parsers read it. */
const longest = 100;

type Node = unknown;

const indented = (text: string, depth: number): string => text.replaceAll('\n', `\n${'  '.repeat(depth)}`);

/**
 * Creates a seed of the given size, or the demo organization if no size is set. The same options give the same seed.
 */
export function createSeed(options: GenerateOptions): object {
  const isSized = Object.entries(options).some(([name, size]) => name !== 'randomSeed' && size !== undefined);
  return isSized ? generateSeed(options) : demoSeed;
}

/** Yields a seed as JSON in parts, indented down to the lists of records. */
function* json(value: Node, depth = 0): Generator<string> {
  const isList = Array.isArray(value);
  // Depth 0: the document, 1: its organizations, 2: an organization, 3: a list of records.
  if (depth > 3 || (depth === 3 && !isList) || !(isList || isObject(value))) {
    yield indented(JSON.stringify(value, null, 2), depth);
    return;
  }
  const entries: [string, Node][] = isList
    ? value.map((item) => ['', item])
    : Object.entries(value).map(([name, part]) => [`${JSON.stringify(name)}: `, part]);
  const isLong = depth === 3 && entries.length > longest;
  const line = `\n${'  '.repeat(depth + 1)}`;
  yield isList ? '[' : '{';
  for (const [at, [name, part]] of entries.entries()) {
    yield `${at === 0 ? '' : ','}${line}${name}`;
    if (isLong) yield JSON.stringify(part);
    else yield* json(part, depth + 1);
  }
  yield `${entries.length === 0 ? '' : `\n${'  '.repeat(depth)}`}${isList ? ']' : '}'}`;
}

/** Yields a seed as YAML in parts. The records of a long list are written as JSON, which is also YAML. */
async function* yaml(seed: object): AsyncGenerator<string> {
  const { stringify } = await import('../../yaml.ts');
  const item = (value: Node, depth: number): string => {
    const text = stringify(value, { lineWidth: 0 }).trimEnd();
    return `${'  '.repeat(depth)}- ${indented(text, depth + 1)}\n`;
  };
  for (const [name, part] of Object.entries(seed)) {
    if (name !== 'organizations' || !Array.isArray(part)) {
      yield stringify({ [name]: part as Node }, { lineWidth: 0 });
      continue;
    }
    yield 'organizations:\n';
    for (const organization of part as Readonly<Record<string, Node>>[]) {
      let mark = '  - ';
      for (const [field, value] of Object.entries(organization)) {
        if (Array.isArray(value) && value.length > 0) {
          yield `${mark}${field}:\n`;
          for (const one of value as Node[])
            yield value.length > longest ? `      - ${JSON.stringify(one)}\n` : item(one, 3);
        } else {
          const text = stringify({ [field]: value }, { lineWidth: 0 }).trimEnd();
          yield `${mark}${indented(text, 2)}\n`;
        }
        mark = '    ';
      }
    }
  }
}

/** The length of a write: one write per record would be slow. */
const portion = 64 * 1024;

/** Writes a seed part by part, as fast as it is taken. */
export async function writeSeed(seed: object, format: 'json' | 'yaml', write: WriteText): Promise<void> {
  let gathered = '';
  for await (const part of format === 'yaml' ? yaml(seed) : json(seed)) {
    gathered += part;
    if (gathered.length < portion) continue;
    await write(gathered);
    gathered = '';
  }
  await write(format === 'yaml' ? gathered : `${gathered}\n`);
}
