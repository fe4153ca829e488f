import { digits, getKind, lowerCase, marks } from './character-kinds.ts';
import type { Draw } from './draw.ts';
import type { OriginalTexts } from './original-texts.ts';

/** How often to draw another character before an original text in a masked one is accepted. */
const maxDraws = 40;

/** Draws a character that ends no original text. */
function drawEnd(
  before: string,
  alphabet: readonly string[],
  not: string | undefined,
  draw: Draw,
  originals: OriginalTexts,
): string {
  let character = draw(alphabet, not);
  for (let draws = 0; originals.isAtEndOf(before + character) && draws < maxDraws; draws++)
    character = draw(alphabet, not);
  return character;
}

/**
 * Replaces each character by another of the same kind. White space stays, and punctuation too, unless the text has
 * nothing else or an original text would appear.
 */
export function maskCharacters(text: string, draw: Draw, originals: OriginalTexts, before = ''): string {
  const characters = [...text];
  const hasOnlyMarks =
    before === '' && characters.every((character) => getKind(character).type !== 'replaced');
  let masked = before;
  for (const character of characters) {
    const kind = getKind(character);
    if (kind.type === 'space') masked += character;
    else if (kind.type === 'replaced') masked += drawEnd(masked, kind.alphabet, character, draw, originals);
    else if (hasOnlyMarks || originals.isAtEndOf(masked + character))
      masked += drawEnd(masked, marks, character, draw, originals);
    else masked += character;
  }
  return masked.slice(before.length);
}

/** Replaces letters and digits only, in texts that may have no others: keys of form fields, paths of mini-applications. */
export function maskWords(text: string, draw: Draw, originals: OriginalTexts): string {
  let masked = '';
  for (const character of text) {
    const kind = getKind(character);
    masked +=
      kind.type === 'replaced' ? drawEnd(masked, kind.alphabet, character, draw, originals) : character;
  }
  return masked;
}

/** Draws lowercase letters. */
export function drawLetters(length: number, draw: Draw, originals: OriginalTexts): string {
  let text = '';
  while (text.length < length) text += drawEnd(text, lowerCase, undefined, draw, originals);
  return text;
}

const hexadecimal = [...digits, ...'abcdef'];

/** Draws a hexadecimal digit in place of each 0. */
export function drawHexadecimal(form: string, draw: Draw, originals: OriginalTexts): string {
  let drawn = '';
  for (const character of form)
    drawn += character === '0' ? drawEnd(drawn, hexadecimal, undefined, draw, originals) : character;
  return drawn;
}

/** Endings of host names that nobody can register, so that a masked address reaches nobody. */
const reservedEndings = ['.example', '.invalid', '.test'];

/** A host of the same length that does not exist. */
export function maskHost(host: string, draw: Draw, originals: OriginalTexts): string {
  const { length } = [...host];
  for (const ending of reservedEndings) {
    if (length <= ending.length || originals.isIn(ending)) continue;
    const masked = `${drawLetters(length - ending.length, draw, originals)}${ending}`;
    if (!originals.isIn(masked)) return masked;
  }
  // A name without a dot does not exist on the public network.
  return drawLetters(length, draw, originals);
}

/** What follows the host of an address. Escaped characters become letters: random ones could not be decoded. */
export function maskAddressRest(rest: string, draw: Draw, originals: OriginalTexts, before: string): string {
  const decodable = rest.replaceAll(/%/g, 'x');
  return maskCharacters(decodable, draw, originals, before);
}
