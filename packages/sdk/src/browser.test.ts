import { describe, expect, test, vi } from 'vitest';
import { scripted } from '../test-support/servers/scripted.ts';
import { isBrowserPage } from './browser.ts';

describe('a browser page', () => {
  const window = { navigator: { userAgent: 'Mozilla/5.0 Chrome/140' } };
  test.each<[string, Parameters<typeof isBrowserPage>[0], boolean]>([
    ['a page', { window, document: {} }, true],
    ['Node, and Electron’s main process', {}, false],
    ['a worker', { document: {} }, false],
    ['Deno 1', { window: {}, Deno: {} }, false],
    ['Deno with a document', { window: {}, document: {}, Deno: {} }, false],
    ['Bun with a document', { window: {}, document: {}, Bun: {} }, false],
    [
      'jsdom',
      { window: { navigator: { userAgent: 'Mozilla/5.0 (linux) jsdom/26.1.0' } }, document: {} },
      false,
    ],
    ['happy-dom', { window: { navigator: { userAgent: 'Mozilla/5.0 HappyDOM/17' } }, document: {} }, false],
  ])('%s', (_name, surroundings, isPage) => {
    expect(isBrowserPage(surroundings)).toBe(isPage);
  });

  test('is refused', () => {
    vi.stubGlobal('window', window);
    vi.stubGlobal('document', {});
    expect(() => scripted([])).toThrow(/browser page/);
    vi.unstubAllGlobals();
  });
});
