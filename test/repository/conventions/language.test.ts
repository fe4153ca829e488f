import { describe, expect, it } from 'vitest';
import { bannedPhrase, longSentences } from './plain-words.ts';
import { firstScreen, pages, paragraphs, phrases, publicDocs, type Text } from './repository-texts.ts';

/** The texts with a banned phrase, each with its place and what to write instead. */
const problems = (texts: readonly Text[]): string[] =>
  texts.flatMap(({ place, text }) => {
    const found = bannedPhrase(text);
    return found === undefined ? [] : [`${place}: ${found.slice(0, 300)}`];
  });

const tooLong = (texts: readonly Text[]): string[] =>
  texts.flatMap(({ place, text }) => longSentences(text).map((sentence) => `${place}: ${sentence}`));

/* Read once: parsing all sources takes seconds. */
const shown = phrases();
const docs = publicDocs();

describe('the texts that users read', () => {
  it('are all read', () => {
    expect(shown.length).toBeGreaterThan(500);
    expect(docs.length).toBeGreaterThan(500);
    expect(pages.flatMap(paragraphs).length).toBeGreaterThan(1_000);
  });

  it('errors, hints, help and descriptions have no banned phrase', () => {
    expect(problems(shown)).toEqual([]);
  });

  it('docstrings of what is public have no banned phrase', () => {
    expect(problems(docs)).toEqual([]);
  });

  it.each(pages)('%s has no banned phrase', (path) => {
    expect(problems(paragraphs(path))).toEqual([]);
  });

  it('errors, hints and help have no sentence over 25 words', () => {
    expect(tooLong(shown)).toEqual([]);
  });

  it.each(pages.filter((path) => path.endsWith('README.md')))(
    'the first screen of %s has no sentence over 25 words',
    (path) => {
      expect(tooLong(firstScreen(path))).toEqual([]);
    },
  );
});
