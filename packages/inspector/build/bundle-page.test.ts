import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { loadPage } from './index.ts';

const sources = fileURLToPath(new URL('../src', import.meta.url));

/** What a browser may have to load, with gzip. */
const mostBytes = 60_000;

test('the page is at most 60 kB with gzip', async () => {
  const { html, script, style } = await loadPage();
  for (const text of [html, script, style]) expect(text.length).toBeGreaterThan(0);
  const bytes = [html, script, style].reduce((sum, text) => sum + gzipSync(text).length, 0);
  expect(bytes).toBeLessThanOrEqual(mostBytes);
});

test('nothing in the page needs what its Content-Security-Policy forbids', async () => {
  const { html, style } = await loadPage();
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
  expect(style).not.toMatch(/@import|url\((?!data:)/);
});

test('no source makes markup of a text', () => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const unsafe = files.filter((name) =>
    /dangerouslySetInnerHTML|\.(?:inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(/.test(
      readFileSync(`${sources}/${name}`, 'utf8'),
    ),
  );
  expect(files.length).toBeGreaterThan(10);
  expect(unsafe).toEqual([]);
});
