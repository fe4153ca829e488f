import ts from 'typescript';
import { trackNames } from './track-names.ts';

/** A place where a program takes a part of an answer to a read by its name. */
export interface ReadFrame {
  readonly line: number;
  readonly text: string;
}

/** What frames records in an answer, as the decisions name it. The contract does not show it. */
const frame = new Set(['record', 'records', 'total', 'limited', 'label']);

/** The fields that name records. What a server calls `label` is not one of them. */
const nameFields = new Set(['name', 'title', 'keyword', 'displayName']);

const isFallback = ({ kind }: ts.Node): boolean =>
  kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken;

/** Whether a call answers what the server sent. */
function isRawRead({ expression }: ts.CallExpression, names: ReadonlySet<string>): boolean {
  if (ts.isIdentifier(expression)) return names.has(expression.text);
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const { name, expression: object } = expression;
  if (name.text === 'readChat') return true;
  return name.text === 'read' && /(?:\bapi|getChatApi\([^()]*\))$/i.test(object.getText());
}

const hasFrame = (type: ts.Node): boolean =>
  ts.isTypeLiteralNode(type) &&
  type.members.some(({ name }) => name !== undefined && ts.isIdentifier(name) && frame.has(name.text));

/** Finds the places in a TypeScript source where the frame of an answer to a read is taken for known. */
export function readFrames(source: string): ReadFrame[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found = new Map<number, ReadFrame>();
  const report = (node: ts.Node): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.set(line, { line: line + 1, text: node.getText().replace(/\s+/g, ' ') });
  };

  /** Functions that read, and variables that hold an answer, in the function or file where they are declared. */
  const readers = new Set(['readChat']);
  const { hold, isHeld } = trackNames();

  /** Whether the value of an expression is an answer as the server sent it, with what came with it or without. */
  const isAnswer = (node: ts.Node): boolean => {
    if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node)) return isAnswer(node.expression);
    if (ts.isAsExpression(node) || ts.isNonNullExpression(node) || ts.isSatisfiesExpression(node))
      return isAnswer(node.expression);
    if (ts.isIdentifier(node)) return isHeld(node, node.text);
    if (ts.isPropertyAccessExpression(node)) return node.name.text === 'data' && isAnswer(node.expression);
    if (ts.isConditionalExpression(node)) return isAnswer(node.whenTrue) || isAnswer(node.whenFalse);
    if (ts.isBinaryExpression(node)) return isFallback(node.operatorToken) && isAnswer(node.left);
    if (ts.isObjectLiteralExpression(node))
      return node.properties.some((part) => ts.isSpreadAssignment(part) && isAnswer(part.expression));
    if (!ts.isCallExpression(node)) return false;
    const { expression } = node;
    if (isRawRead(node, readers)) return true;
    if (ts.isIdentifier(expression) && expression.text === 'Object') return node.arguments.some(isAnswer);
    // The same answer, in another form.
    const isForm = ts.isPropertyAccessExpression(expression) && expression.name.text === 'withResponse';
    return isForm && isAnswer(expression.expression);
  };

  const takeApart = (pattern: ts.BindingName): void => {
    if (ts.isIdentifier(pattern)) hold(pattern, pattern.text);
    if (!ts.isObjectBindingPattern(pattern)) return;
    for (const element of pattern.elements) {
      const name = (element.propertyName ?? element.name).getText();
      if (frame.has(name)) report(pattern.parent);
      else if (name === 'data' || element.dotDotDotToken) takeApart(element.name);
    }
  };

  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer) {
      if (isAnswer(node.initializer)) takeApart(node.name);
      if (ts.isObjectBindingPattern(node.name) && /getChatApi\([^()]*\)$/.test(node.initializer.getText()))
        for (const { propertyName, name } of node.name.elements)
          if ((propertyName ?? name).getText() === 'read') readers.add(name.getText());
    }
    if (ts.isCallExpression(node)) {
      if (isRawRead(node, readers) && node.typeArguments?.some(hasFrame)) report(node);
      // What is done with the answer once it is there.
      const { expression } = node;
      if (
        ts.isPropertyAccessExpression(expression) &&
        expression.name.text === 'then' &&
        isAnswer(expression.expression)
      )
        for (const callback of node.arguments)
          if (ts.isFunctionLike(callback) && callback.parameters[0]) takeApart(callback.parameters[0].name);
    }
    if (ts.isAsExpression(node) && hasFrame(node.type) && isAnswer(node.expression)) report(node);
    if (ts.isPropertyAccessExpression(node) && frame.has(node.name.text) && isAnswer(node.expression))
      report(node);
    if (ts.isElementAccessExpression(node) && isAnswer(node.expression)) {
      const { argumentExpression: index } = node;
      if (ts.isStringLiteralLike(index) && frame.has(index.text)) report(node);
    }
    if (ts.isBinaryExpression(node)) {
      const { left, operatorToken, right } = node;
      const isIn = operatorToken.kind === ts.SyntaxKind.InKeyword && ts.isStringLiteralLike(left);
      if (isIn && frame.has(left.text) && isAnswer(right)) report(node);
      const [one, other] = [left, right].map((side) =>
        ts.isPropertyAccessExpression(side) ? side.name.text : '',
      );
      // What the server calls the label is no name to find a record by.
      if (isFallback(operatorToken) && one === 'label' && nameFields.has(other ?? '')) report(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...found.values()];
}
