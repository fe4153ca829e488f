import { describe, expect, it } from 'vitest';
import { bannedPhrase, longSentences } from './plain-words.ts';
import {
  comments,
  firstScreen,
  otherComments,
  pages,
  paragraphs,
  phrases,
  type Text,
  titles,
} from './repository-texts.ts';

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
const testTitles = titles();

describe('the texts of the repository', () => {
  it('are all read', () => {
    expect(shown.length).toBeGreaterThan(500);
    expect(comments().length).toBeGreaterThan(1_000);
    expect(otherComments().length).toBeGreaterThan(1_000);
    expect(testTitles.length).toBeGreaterThan(1_000);
    expect(pages.flatMap(paragraphs).length).toBeGreaterThan(1_000);
  });

  it('errors, hints, help and descriptions have no banned phrase', () => {
    expect(problems(shown)).toEqual([]);
  });

  it('comments of the packages have no banned phrase', () => {
    expect(problems(comments())).toEqual([]);
  });

  it('comments of tests, benches and examples have no banned phrase', () => {
    expect(problems(otherComments())).toEqual([]);
  });

  it('titles of tests have no banned phrase', () => {
    expect(problems(testTitles)).toEqual([]);
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
