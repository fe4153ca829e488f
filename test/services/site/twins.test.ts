import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dist } from './open-site.ts';

/* What programs read of the site: llms.txt, and a twin of each page in Markdown. */

const read = (path: string): string => readFileSync(path, 'utf8');

describe('the pages have twins for programs', () => {
  const list = (): string => read(`${dist}/llms.txt`);
  const twins = (): string[] => Array.from(list().matchAll(/\]\((\/[^)]+)\)/g), ([, path = '']) => path);
  /** Without blocks and spans of code. */
  const proseOf = (text: string): string =>
    text.replace(/^(`{3,})[\s\S]*?^\1/gm, '').replace(/(`+)[^`][\s\S]*?\1/g, '');

  it('which llms.txt lists, small enough to be read whole', () => {
    expect(list()).toMatch(/^# orgchat\n\n> .+\n/);
    expect(twins().length).toBeGreaterThan(100);
    expect(new Set(twins()).size).toBe(twins().length);
    expect(twins().filter((path) => !/\.md$/.test(path) || !existsSync(dist + path))).toEqual([]);
    expect(list().length).toBeLessThan(40_000);
    const sizes = twins().map((path) => [path, statSync(dist + path).size] as const);
    expect(sizes.filter(([, size]) => size < 100 || size > 100_000)).toEqual([]);
  });

  it('in plain Markdown, which begins with its title', () => {
    const texts = twins().map((path) => [path, read(dist + path)] as const);
    const untitled = texts.filter(([, text]) => !/^---\n[\s\S]*?\n---\n\s*# \S/.test(text));
    expect(untitled.map(([path]) => path)).toEqual([]);
    // A component of the site, its template, or HTML.
    const odd = /<\/?(?:[A-Z][A-Za-z]+|div|span|script|style|table|p|br|img)\b|\{\{|^:::/m;
    const found = texts.flatMap(([path, text]) =>
      (odd.exec(proseOf(text)) ?? []).map((one) => `${path}: ${one}`),
    );
    expect(found).toEqual([]);
  });

  it('whose links lead to twins and to files of the site', () => {
    const lost = twins().flatMap((path) =>
      Array.from(
        proseOf(read(dist + path)).matchAll(/\]\((?!https?:|#|mailto:)([^)\s#]+)/g),
        ([, link = '']) => (link.startsWith('/') ? link : posix.join(posix.dirname(path), link)),
      )
        .filter((link) => !/\.\w+$/.test(link) || !existsSync(dist + link))
        .map((link) => `${path}: ${link}`),
    );
    expect(lost).toEqual([]);
  });
});
