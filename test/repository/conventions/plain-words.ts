import ts from 'typescript';

/** Phrases that readers stumble over, each with what to write instead. */
export const banned: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/(?<!\bthere )\b(?:is|are|was) no (?!longer|such|more)\w/i, 'is not a'],
  [/\bnone of (?!this\b|them\b|these\b|its\b|the codes\b)/i, 'No X named …'],
  [/\banew\b/i, 'again'],
  [/\bmend(?:s|ed)?\b/i, 'fix'],
  [/\bmeanwhile\b/i, 'in the meantime'],
  [/\b(?:goes|go|went|going) on\b/i, 'continues'],
  [/\b(?:is|are|was|were) under way\b/i, 'in progress'],
  [/\bat work\b/i, 'running'],
  [/\bstands?\b(?! for\b)/i, 'exists, is listed'],
  [/\bwhoever\b/i, 'anyone who'],
  [/\b(?:needs?|wants?|takes?) a yes\b/i, 'requires confirmation'],
  [/\b(?:tells|is told|are told|was told)\b/i, 'reports, shows'],
  [/\bnothing tells\b/i, 'cannot be detected'],
  [/\bfor ever\b/i, 'forever, always'],
  [/\b(?:came|comes|become|became|becomes) of\b/i, 'outcome'],
  [/\bgiven (?:back|along)\b/i, 'returned'],
  [/\bas (?:they|it) should be\b/i, 'unchanged'],
  [/\bleave to\b/i, 'may'],
  [
    /(?:^|[.;:] )Where (?:it|that|this|there|they|nothing|nobody|no|the|an?)\b(?! \w+ (?:lives?|is kept|are kept)\b)/,
    'If',
  ],
  [/\b(?:what|which) (?:became|came) of\b/i, 'outcome'],
  [/\bpass(?:ed)? over\b/i, 'skip'],
  [
    /\b(?:requests?|messages?|times|words|keywords) an? (?:minute|second|month|request|line|test|key|day)\b/i,
    'per',
  ],
  [/\bone an? (?:line|test|minute|row)\b/i, 'one per'],
  [/\b(?:fifty|50|thousands) an? \w+/i, 'per'],
  [/, where (?:that|it|nobody|nothing|there)\b/i, 'if'],
  [/\bis given\b/i, 'is set, is passed'],
  [/\bwants\b/i, 'requires'],
  [
    /\b(?:colour|behaviour|favour|honour|neighbour|licence|catalogue|recognis|organis|normalis|serialis|cancelled)/i,
    'American spelling',
  ],
  [/\bso (?:many|much) \w+ more\b/i, 'number of additional'],
];

/** The phrase of a text that is banned, with what to write instead; undefined if there is none. */
export function bannedPhrase(text: string): string | undefined {
  for (const [phrase, instead] of banned) {
    const [found] = phrase.exec(text) ?? [];
    if (found !== undefined) return `"${found}" (${instead}) in: ${text}`;
  }
  return undefined;
}

/** More words than this are not read in one go. */
export const maxWords = 25;

/** The sentences of a text that are too long. A command line and a list count as one word. */
export function longSentences(text: string): string[] {
  return text
    .replace(/`[^`]*`|"[^"]*"|\borgchat (?:[a-z-]+ )*[a-z-]+(?: [A-Z<[-]\S*)*/g, 'x')
    .split(/[.:;?!]\s|\n\n/)
    .filter(
      (sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length > maxWords,
    );
}

/** A text of a program that a person may read. */
export interface ShownText {
  readonly line: number;
  /** Values that are known only when the program runs are `…`. */
  readonly text: string;
}

/** The text of a string or template. */
export function textOf(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join('');
}

/** The texts of a source that read like sentences or phrases: at least three words, not an identifier. */
export function shownTexts(source: string, path = 'source.ts'): ShownText[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: ShownText[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isRegularExpressionLiteral(node)) return;
    const text = ts.isJsxText(node)
      ? node.text.replace(/\s+/g, ' ')
      : ts.isExpression(node)
        ? textOf(node)
        : undefined;
    if (text !== undefined && /\p{L}{2,} \S+ \S*\p{L}/u.test(text)) {
      found.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, text });
    }
    ts.forEachChild(node, look);
  };
  look(file);
  return found;
}

/** A docstring of something that a source exports, and the line of what it describes. */
export function exportedDocs(source: string): ShownText[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found: ShownText[] = [];
  const look = (node: ts.Node): void => {
    for (const doc of ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)) {
      const text = `/** ${ts.getTextOfJSDocComment(doc.comment)?.replace(/\s+/g, ' ')}`;
      found.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, text });
    }
    if (!ts.isBlock(node)) ts.forEachChild(node, look);
  };
  const isExported = (node: ts.Node): boolean =>
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  file.statements.filter(isExported).forEach(look);
  return found;
}
