/*
 * Escapes text for a terminal: it cannot move the cursor, change the reading direction or hide a part of itself.
 * Unsafe characters are shown as escapes such as \u001b.
 */
import { hasUnsafeCharacters, replaceUnsafe, toEscape } from '@orgchat/spec/unsafe-characters';

/**
 * Escapes text of any number of lines. JSON keeps its value: these characters occur only in its strings, and the
 * escapes are those of JSON.
 */
export function escapeText(text: string): string {
  return replaceUnsafe(text.replaceAll('\r\n', '\n'));
}

/** Text that has to stay on one line, so that it cannot pass for a line of this program's own. */
export function escapeLine(text: string): string {
  return escapeText(text).replace(/[\n\t]/g, ' ');
}

/** A text in double quotes stays on one line, so that it cannot be mistaken for other lines. */
const oneLine = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER };

/** YAML of the same value. Scalars with unsafe characters are put in double quotes, which alone have escapes. */
export async function escapeYaml(text: string): Promise<string> {
  if (replaceUnsafe(text) === text) return text;
  const { isScalar, parseDocument, visit } = await import('../yaml.ts');
  const document = parseDocument(text);
  visit(document, {
    Scalar(_key, node) {
      if (
        isScalar(node) &&
        typeof node.value === 'string' &&
        hasUnsafeCharacters(node.value.replace(/[\n\t]/g, ''))
      )
        node.type = 'QUOTE_DOUBLE';
    },
  });
  // YAML has escapes of a whole character; half a surrogate pair is none.
  return replaceUnsafe(document.toString(oneLine), (character) =>
    character.length === 1
      ? toEscape(character)
      : `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  );
}
