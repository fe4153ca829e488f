import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import ts from 'typescript';

/** What only the document of the control API says, which a build has as text. */
const fields = new Set(['tag', 'summary', 'description', 'parameters', 'errors', 'example', 'answer']);

const getNames = ({ properties }: ts.ObjectLiteralExpression): (string | undefined)[] =>
  properties.map(({ name }) => name?.getText());

/** The source of control calls without these fields, and without schemas that only these fields use. */
function omitTexts(source: string): string {
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
      async ({ path }) => ({
        contents: omitTexts(await readFile(path, 'utf8')),
        loader: 'ts',
      }),
    );
  },
};
