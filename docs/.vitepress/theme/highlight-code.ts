import { createHighlighterCore } from 'shiki/core';
import javascript from 'shiki/dist/langs/javascript.mjs';
import dark from 'shiki/dist/themes/github-dark-high-contrast.mjs';
import light from 'shiki/dist/themes/github-light-high-contrast.mjs';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';

/* The colors of code in the playground: those of the code on the pages. */

const highlighter = createHighlighterCore({
  langs: [javascript],
  themes: [light, dark],
  engine: createJavaScriptRegexEngine(),
});

/** Code as HTML, which the styles of VitePress color in both schemes. */
export async function highlightCode(code: string): Promise<string> {
  return (await highlighter).codeToHtml(code, {
    lang: 'javascript',
    themes: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    defaultColor: false,
    structure: 'inline',
    // On a slow machine, the first line would be left without colors.
    tokenizeTimeLimit: 0,
  });
}
