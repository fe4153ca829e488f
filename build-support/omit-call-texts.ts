import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import type ts from 'typescript';
import { cached } from './cached.ts';

/** What only the document of the control API says, which a build has as text. */
const fields = new Set(['tag', 'summary', 'description', 'parameters', 'errors', 'example', 'answer']);

const getNames = ({ properties }: ts.ObjectLiteralExpression): (string | undefined)[] =>
  properties.map(({ name }) => name?.getText());

/** Loads the compiler, which takes as long as a build, only if a source changed. */
const loadCompiler = (): typeof ts => createRequire(import.meta.url)('typescript') as typeof ts;

/** The source of control calls without these fields, and without schemas that only these fields use. */
function omitTexts(source: string): string {
  const ts = loadCompiler();
  const file = ts.createSourceFile('calls.ts', source, ts.ScriptTarget.Latest, true);
  const omitted: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isObjectLiteralExpression(node) &&
      ['path', 'run'].every((name) => getNames(node).includes(name))
    ) {
      omitted.push(...node.properties.filter(({ name }) => name !== undefined && fields.has(name.getText())));
    } else {
      node.forEachChild(visit);
    }
  };
  visit(file);
  return omitted
    .reduceRight((text, { pos, end }) => text.slice(0, pos) + text.slice(end).replace(/^,/, ''), source)
    .replaceAll(' = memoize(', ' = /* @__PURE__ */ memoize(');
}

/** An esbuild plugin that omits what a running mock never reads of its control calls. */
export const omitCallTexts: Plugin = {
  name: 'omit-call-texts',
  setup(build) {
    build.onLoad(
      { filter: /mock-server[\\/]src[\\/]control[\\/]calls[\\/][\w-]+\.ts$/ },
      async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const own = await readFile(fileURLToPath(import.meta.url));
        const contents = await cached(`calls-${basename(path)}`, [source, own], () => omitTexts(source));
        return { contents, loader: 'ts' };
      },
    );
  },
};
