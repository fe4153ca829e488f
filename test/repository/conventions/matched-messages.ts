import ts from 'typescript';
import { trackNames } from './track-names.ts';

/** A place where a program decides something by the words of a text for people. */
export interface MatchedMessage {
  readonly line: number;
  readonly text: string;
}

/** Methods that look into a text, or take it apart. */
const lookingInto = new Set([
  ...['match', 'matchAll', 'test', 'exec', 'search', 'includes', 'indexOf', 'lastIndexOf'],
  ...['startsWith', 'endsWith', 'replace', 'replaceAll', 'split', 'slice', 'substring', 'charAt', 'at'],
]);

/** Methods that look for what they are given, in a pattern or among texts. */
const matching = new Set(['test', 'exec', 'has', 'hasOwn', 'get']);

/** Methods that look for what they are given in a list or a text. */
const lookingUp = new Set(['includes', 'indexOf', 'lastIndexOf']);

/** Properties of errors that hold sentences for people. */
const sentences = new Set(['message', 'headline', 'hint', 'stack', 'summary', 'advice']);

/** Names of other texts for people, whatever holds them: a property, a variable or a parameter. */
const labels =
  /^(?:advice|because|caption|description|displayName|from|headline|hint|title|tryThis|\w+(?:From|Hint|Label|Title))$/;

/** Names of functions that return a text for people. `describeJson` returns one for programs. */
const describing = /^(?:describe(?!Json)|explain|format)[A-Z]/;

const isSentence = (name: string): boolean => sentences.has(name) || labels.test(name);

/** Two words, or a word beside what is inserted. */
const words = /[A-Za-z]{2,} +[A-Za-z]|[A-Za-z]{2,} $|^ [A-Za-z]{2,}/;

const comparisons = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

const joins = new Set([
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.PlusToken,
]);

/** The expressions whose value an expression may have. */
function listValues(node: ts.Node): ts.Node[] {
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isSatisfiesExpression(node)
  )
    return listValues(node.expression);
  if (ts.isConditionalExpression(node)) return [...listValues(node.whenTrue), ...listValues(node.whenFalse)];
  if (ts.isBinaryExpression(node) && joins.has(node.operatorToken.kind))
    return [...listValues(node.left), ...listValues(node.right)];
  return [node];
}

/** Whether an expression is written as words with something inserted, such as a label: `profile ${name}`. */
const isWording = (node: ts.Node): boolean =>
  ts.isTemplateExpression(node) &&
  [node.head, ...node.templateSpans.map(({ literal }) => literal)].some(({ text }) => words.test(text));

/** Whether an expression is a list as far as its own text shows, or that of the `const` that it names. */
function isList(node: ts.Node): boolean {
  if (!ts.isIdentifier(node)) return listValues(node).some((value) => ts.isArrayLiteralExpression(value));
  const isDeclared = (one: ts.Node): boolean =>
    (ts.isVariableDeclaration(one) &&
      one.name.getText() === node.text &&
      one.initializer !== undefined &&
      listValues(one.initializer).some((value) => ts.isArrayLiteralExpression(value))) ||
    (ts.forEachChild(one, (child) => isDeclared(child) || undefined) ?? false);
  return isDeclared(node.getSourceFile());
}

/** The name of what a call calls: `replace` of `text.replace()`. */
const getCallee = ({ expression }: ts.CallExpression): string | undefined => {
  const callee = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  return ts.isIdentifier(callee) ? callee.text : undefined;
};

/** Whether an expression is made of `from`, which also names a place or an old value. */
const isPlace = (node: ts.Node): boolean => /\bfrom\b/.test(node.getText());

interface Reading {
  readonly file: ts.SourceFile;
  /** Whether the value of an expression may be a text for people, or text made of one. */
  isMessage(node: ts.Node): boolean;
}

/** The name that a function is declared with. */
function getFunctionName(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node)) return node.name?.text;
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return undefined;
  return ts.isVariableDeclaration(node.parent) && ts.isIdentifier(node.parent.name)
    ? node.parent.name.text
    : undefined;
}

/** Whether a function is exported where it is declared. */
const isExported = (node: ts.Node): boolean =>
  ts.isStatement(node)
    ? ts.canHaveModifiers(node) &&
      (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    : isExported(node.parent);

/** Reads a source. Parameters of its functions in `passed`, or of those that it exports in `imported`, are such texts too. */
function readSource(
  source: string,
  name: string,
  passed: ReadonlySet<string> = new Set(),
  imported: ReadonlySet<string> = new Set(),
): Reading {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);

  /** Variables that hold such a text or a part of one, in the function or file where they are declared. */
  const { hold, isHeld } = trackNames();

  const isMessage = (node: ts.Node): boolean => listValues(node).some(isOneMessage);
  const isOneMessage = (node: ts.Node): boolean => {
    if (ts.isPropertyAccessExpression(node)) return isSentence(node.name.text);
    if (ts.isElementAccessExpression(node)) return isMessage(node.expression);
    if (ts.isIdentifier(node)) return labels.test(node.text) || isHeld(node, node.text);
    if (ts.isTemplateExpression(node)) return node.templateSpans.some((span) => isMessage(span.expression));
    return ts.isCallExpression(node) && describing.test(getCallee(node) ?? '');
  };
  const isWritten = (node: ts.Node): boolean =>
    (isMessage(node) && !isPlace(node)) || listValues(node).some((value) => isWording(value));

  const collect = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const called = getFunctionName(node);
      node.parameters.forEach((parameter, index) => {
        const place = `${called} ${index}`;
        const isText = passed.has(place) || (imported.has(place) && isExported(node));
        if (isText && ts.isIdentifier(parameter.name)) hold(parameter, parameter.name.text);
      });
    }
    if (ts.isBindingElement(node) && ts.isIdentifier(node.name)) {
      const property = node.propertyName ?? node.name;
      if (ts.isIdentifier(property) && isSentence(property.text)) hold(node, node.name.text);
    }
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
      const { name, initializer } = node;
      if (ts.isIdentifier(name) && isWritten(initializer)) hold(node, name.text);
      if (ts.isArrayBindingPattern(name)) {
        const lists = listValues(initializer).filter((value) => ts.isArrayLiteralExpression(value));
        name.elements.forEach((element, index) => {
          if (!ts.isBindingElement(element) || !ts.isIdentifier(element.name)) return;
          const values = lists.flatMap(({ elements }) => elements[index] ?? []);
          if (values.some(isWritten)) hold(node, element.name.text);
        });
      }
    }
    ts.forEachChild(node, collect);
  };
  collect(file);
  return { file, isMessage };
}

interface PassedMessages {
  /** Parameters of its own functions, such as `repeat 0`. */
  readonly own: readonly string[];
  /** Parameters of functions that it imports. */
  readonly imported: readonly string[];
}

/** The parameters of functions to which a source passes texts for people. */
export function passedMessages(source: string, name = 'source.ts'): PassedMessages {
  const { file, isMessage } = readSource(source, name);
  const own: string[] = [];
  const imported: string[] = [];
  const imports = new Set<string>();
  const look = (node: ts.Node): void => {
    if (ts.isImportSpecifier(node)) imports.add(node.name.text);
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const { text } = node.expression;
      const isPassed = (one: ts.Node): boolean => isMessage(one) && !isPlace(one);
      const places = node.arguments.flatMap((one, index) => (isPassed(one) ? [`${text} ${index}`] : []));
      (imports.has(text) ? imported : own).push(...places);
    }
    ts.forEachChild(node, look);
  };
  look(file);
  return { own, imported };
}

/**
 * Finds the places in a TypeScript source where a text for people is matched, looked up or taken apart.
 *
 * @param imported The parameters of exported functions that other sources pass such texts to.
 */
export function matchedMessages(
  source: string,
  name = 'source.ts',
  imported: ReadonlySet<string> = new Set(),
): MatchedMessage[] {
  const passed = new Set(passedMessages(source, name).own);
  const { file, isMessage } = readSource(source, name, passed, imported);
  const found: MatchedMessage[] = [];
  const report = (node: ts.Node): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push({ line: line + 1, text: node.getText().replace(/\s+/g, ' ') });
  };

  const isTaken = (node: ts.CallExpression): boolean => {
    if (!ts.isPropertyAccessExpression(node.expression)) return false;
    const { expression, name } = node.expression;
    // Lines are layout, not words.
    if (name.text === 'split' && node.arguments[0]?.getText() === String.raw`'\n'`) return false;
    if (lookingInto.has(name.text) && isMessage(expression)) return true;
    // `/pattern/.test(message)` and `texts.has(message)`; a text may be looked for in names, not in messages.
    const isMatcher = matching.has(name.text) || (lookingUp.has(name.text) && isList(expression));
    return isMatcher && node.arguments.some(isMessage);
  };

  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTaken(node)) report(node);
    if (ts.isElementAccessExpression(node) && isMessage(node.argumentExpression)) report(node);
    if (ts.isBinaryExpression(node)) {
      const { left, right, operatorToken } = node;
      const isCompared = (one: ts.Node, other: ts.Node): boolean =>
        isMessage(one) && (isText(other) || ts.isIdentifier(other)) && other.getText() !== 'undefined';
      if (comparisons.has(operatorToken.kind) && (isCompared(left, right) || isCompared(right, left)))
        report(node);
      if (operatorToken.kind === ts.SyntaxKind.InKeyword && isMessage(left)) report(node);
    }
    if (ts.isSwitchStatement(node) && isMessage(node.expression)) report(node.expression);
    ts.forEachChild(node, look);
  };
  look(file);
  return found;
}
