import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { textOf } from '../../../test/repository/conventions/plain-words.ts';

const root = fileURLToPath(new URL('../src', import.meta.url));

/** The sources of the command, without tests and completion scripts of other languages. */
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('generated'))
  .filter((name) => name !== join('completion', 'shell-scripts.ts'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));

/** A place where the command makes an error. */
export interface ErrorSource {
  readonly place: string;
  /** Undefined if it is made elsewhere, such as by the SDK or the server. */
  readonly message: string | undefined;
  readonly hint: string | undefined;
  readonly hasCode: boolean;
}

const factories = new Set(['usageError', 'invalidInputError', 'notFoundError']);

/** Variables of a file that hold a text, by name. */
function textsOf(file: ts.SourceFile): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const look = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      const text = textOf(node.initializer);
      if (text !== undefined) texts.set(node.name.text, text);
    }
    ts.forEachChild(node, look);
  };
  look(file);
  return texts;
}

/** All alternatives of a text, joined: each branch of a condition has to hold what the rules ask for. */
function resolveText(
  node: ts.Expression | undefined,
  texts: ReadonlyMap<string, string>,
): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isConditionalExpression(node)) {
    const branches = [resolveText(node.whenTrue, texts), resolveText(node.whenFalse, texts)];
    return branches.includes(undefined) ? undefined : branches.join(' | ');
  }
  return textOf(node) ?? (ts.isIdentifier(node) ? texts.get(node.text) : undefined);
}

function property(node: ts.Expression | undefined, name: string): ts.Expression | undefined {
  if (node === undefined || !ts.isObjectLiteralExpression(node)) return undefined;
  for (const member of node.properties) {
    if (member.name?.getText() !== name) continue;
    if (ts.isPropertyAssignment(member)) return member.initializer;
    if (ts.isShorthandPropertyAssignment(member)) return member.name;
  }
  return undefined;
}

/** Every place in the sources where a `CliError` is made. */
export function findErrorSources(): ErrorSource[] {
  return sources.flatMap(({ name, text }) => {
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
    const texts = textsOf(file);
    const found: ErrorSource[] = [];
    const add = (
      node: ts.Node,
      message: ts.Expression,
      hint: ts.Expression | undefined,
      hasCode: boolean,
    ): void => {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      const of = (part: ts.Expression | undefined): string | undefined => resolveText(part, texts);
      found.push({ place: `${name}:${line + 1}`, message: of(message), hint: of(hint), hasCode });
    };
    const look = (node: ts.Node): void => {
      if (ts.isNewExpression(node) && node.expression.getText() === 'CliError') {
        const [message, details] = node.arguments ?? [];
        const isSpread = details !== undefined && /\.\.\./.test(details.getText());
        if (message !== undefined)
          add(node, message, property(details, 'hint'), isSpread || property(details, 'code') !== undefined);
      }
      if (ts.isCallExpression(node) && factories.has(node.expression.getText())) {
        const [message, hint] = node.arguments;
        if (message !== undefined) add(node, message, hint, true);
      }
      ts.forEachChild(node, look);
    };
    look(file);
    return found;
  });
}
