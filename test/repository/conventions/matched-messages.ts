import ts from 'typescript';

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

/** Properties of errors that hold sentences for people. */
const sentences = new Set(['message', 'headline', 'hint', 'stack', 'summary', 'advice']);

/** Names of other texts for people, whatever holds them: a property, a variable or a parameter. */
const labels = /^(?:because|caption|displayName|from|title|tryThis|\w+(?:From|Hint|Label|Title))$/;

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

/** Finds the places in a TypeScript source where a text for people is matched or taken apart. */
export function matchedMessages(source: string, name = 'source.ts'): MatchedMessage[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const found: MatchedMessage[] = [];
  const report = (node: ts.Node): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push({ line: line + 1, text: node.getText().replace(/\s+/g, ' ') });
  };

  /** Variables that hold such a text or a part of one, in the function or file where they are declared. */
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

  /** Whether the value of an expression may be a text for people, or text made of one. */
  const isMessage = (node: ts.Node): boolean => listValues(node).some(isOneMessage);
  const isOneMessage = (node: ts.Node): boolean => {
    if (ts.isPropertyAccessExpression(node)) return isSentence(node.name.text);
    if (ts.isElementAccessExpression(node)) return isMessage(node.expression);
    if (ts.isIdentifier(node)) return labels.test(node.text) || isHeld(node, node.text);
    if (ts.isTemplateExpression(node)) return node.templateSpans.some((span) => isMessage(span.expression));
    if (ts.isCallExpression(node)) {
      const { expression } = node;
      const callee = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
      return ts.isIdentifier(callee) && describing.test(callee.text);
    }
    return false;
  };
  const isWritten = (node: ts.Node): boolean =>
    isMessage(node) || listValues(node).some((value) => isWording(value));

  const collect = (node: ts.Node): void => {
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

  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression, name } = node.expression;
      // Lines are layout, not words.
      const isLayout = name.text === 'split' && node.arguments[0]?.getText() === String.raw`'\n'`;
      if (lookingInto.has(name.text) && !isLayout) {
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
