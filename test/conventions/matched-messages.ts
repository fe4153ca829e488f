import ts from 'typescript';

/** A place where a program decides something by the words of a message. */
export interface MatchedMessage {
  readonly line: number;
  readonly text: string;
}

/** Methods that look into a text, or take it apart. */
const lookingInto = new Set([
  ...['match', 'matchAll', 'test', 'exec', 'search', 'includes', 'indexOf', 'lastIndexOf'],
  ...['startsWith', 'endsWith', 'replace', 'replaceAll', 'split', 'slice', 'substring', 'charAt', 'at'],
]);

/** Properties of errors that hold sentences for people. */
const sentences = new Set(['message', 'headline', 'hint', 'stack', 'summary', 'advice']);

const comparisons = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** Finds the places in a TypeScript source where the sentence of an error or message is matched or taken apart. */
export function matchedMessages(source: string): MatchedMessage[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found: MatchedMessage[] = [];
  const report = (node: ts.Node): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push({ line: line + 1, text: node.getText().replace(/\s+/g, ' ') });
  };

  /** Variables that hold a message or a part of one, in the function or file where they are declared. */
  const held = new Map<ts.Node, Set<string>>();
  const scopeOf = (node: ts.Node): ts.Node =>
    ts.isFunctionLike(node) || ts.isSourceFile(node) ? node : scopeOf(node.parent);
  const hold = (node: ts.Node, name: string): void => {
    const scope = scopeOf(node);
    held.set(scope, (held.get(scope) ?? new Set()).add(name));
  };
  const isHeld = (node: ts.Node, name: string): boolean => {
    const scope = scopeOf(node);
    if (held.get(scope)?.has(name)) return true;
    return !ts.isSourceFile(scope) && isHeld(scope.parent, name);
  };

  /** Whether the value of an expression is a message, or text made of one. */
  const isMessage = (node: ts.Node): boolean => {
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node))
      return isMessage(node.expression);
    if (ts.isPropertyAccessExpression(node)) return sentences.has(node.name.text);
    if (ts.isElementAccessExpression(node)) return isMessage(node.expression);
    if (ts.isIdentifier(node)) return isHeld(node, node.text);
    if (ts.isConditionalExpression(node)) return isMessage(node.whenTrue) || isMessage(node.whenFalse);
    if (ts.isTemplateExpression(node)) return node.templateSpans.some((span) => isMessage(span.expression));
    if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      const joins = [ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.PlusToken];
      return joins.includes(kind) && (isMessage(node.left) || isMessage(node.right));
    }
    return false;
  };

  const collect = (node: ts.Node): void => {
    if (ts.isBindingElement(node) && ts.isIdentifier(node.name)) {
      const property = node.propertyName ?? node.name;
      if (ts.isIdentifier(property) && sentences.has(property.text)) hold(node, node.name.text);
    }
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      if (isMessage(node.initializer)) hold(node, node.name.text);
    }
    ts.forEachChild(node, collect);
  };

  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression, name } = node.expression;
      if (lookingInto.has(name.text)) {
        // `/pattern/.test(message)` and `message.includes('text')`; a text may be looked for in names, not in messages.
        const isMatcher = name.text === 'test' || name.text === 'exec';
        if (isMessage(expression) || (isMatcher && node.arguments.some(isMessage))) report(node);
      }
    }
    if (ts.isBinaryExpression(node) && comparisons.has(node.operatorToken.kind)) {
      const { left, right } = node;
      const isCompared = (one: ts.Node, other: ts.Node): boolean =>
        isMessage(one) && (isText(other) || ts.isIdentifier(other)) && other.getText() !== 'undefined';
      if (isCompared(left, right) || isCompared(right, left)) report(node);
    }
    if (ts.isSwitchStatement(node) && isMessage(node.expression)) report(node.expression);
    ts.forEachChild(node, look);
  };

  collect(file);
  look(file);
  return found;
}
