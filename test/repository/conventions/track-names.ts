import ts from 'typescript';

const scopeOf = (node: ts.Node): ts.Node =>
  ts.isFunctionLike(node) || ts.isSourceFile(node) ? node : scopeOf(node.parent);

/** Notes names in the function or file where they are declared, and finds them from within. */
export function trackNames() {
  const held = new Map<ts.Node, Set<string>>();
  const hold = (node: ts.Node, name: string): void => {
    const scope = scopeOf(node);
    held.set(scope, (held.get(scope) ?? new Set()).add(name));
  };
  const isHeld = (node: ts.Node, name: string): boolean => {
    const scope = scopeOf(node);
    if (held.get(scope)?.has(name)) return true;
    return !ts.isSourceFile(scope) && isHeld(scope.parent, name);
  };
  return { hold, isHeld };
}
