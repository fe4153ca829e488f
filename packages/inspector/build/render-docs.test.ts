import { expect, test } from 'vitest';
import { renderDocs, renderTexts } from './render-docs.ts';

test('markup in a text stays text, and no link leads out', async () => {
  const hostile = [
    '# <img src=x onerror=alert(1)>',
    '**1.1** <script>alert(1)</script> & `<b>` [a](javascript:alert(1)) [b](https://example.com)',
    '### D1 "><svg onload=alert(1)>',
    '![x](https://example.com/x.png)',
  ].join('\n\n');
  const { specification, decisions } = await renderTexts({ specification: hostile, decisions: hostile });
  for (const { html } of [specification, decisions]) {
    expect(html).not.toMatch(/<(?:script|img|svg|b)\b/);
    expect(html).not.toMatch(/(?:href|src)="(?!\.\.\/|#|data:,|specification|decisions)/);
  }
});

test('numbers in a text are links to what they stand for', async () => {
  const { specification, decisions } = await renderTexts({
    specification:
      '## 1 A\n\n**1.1** See D2, 1.2 and OpenAPI 1.2.\n\n| **1.2** | x |\n|---|---|\n| **1.2** | y |\n',
    decisions: '### D2 One (1.1)\n- **The contract does not define this in:** 1.1, 1.2, 7.7.\n',
  });
  expect(specification.html).toContain(
    'See <a href="decisions#D2">D2</a>, <a href="#1.2">1.2</a> and OpenAPI 1.2.',
  );
  expect(specification.html).toContain('<tr id="1.2">');
  // A clause leads to the decisions about it that its text does not name, and each page back to the inspector.
  const back = ' <span class="decided">Decided in <a href="decisions#D2">D2</a> One (1.1)</span>';
  expect(specification.html).toContain('OpenAPI 1.2.</p>');
  expect(specification.html).toContain(`<td>y${back}</td>`);
  expect(decisions.html).toContain('<a href="../">Back to the inspector</a>');
  expect(decisions.html).toContain(
    '<a href="specification#1.1">1.1</a>, <a href="specification#1.2">1.2</a>, 7.7.',
  );
  expect(decisions.html).toContain('<h3 id="D2"><a class="number" href="#D2">D2</a> One (1.1)</h3>');
});

test('every link within the documents leads to an anchor', async () => {
  const { specification, decisions } = await renderDocs();
  const anchors = {
    specification: new Set(Array.from(specification.html.matchAll(/ id="([^"]+)"/g), ([, id]) => id)),
    decisions: new Set(Array.from(decisions.html.matchAll(/ id="([^"]+)"/g), ([, id]) => id)),
  };
  for (const page of ['specification', 'decisions'] as const) {
    const { html } = { specification, decisions }[page];
    const links = Array.from(html.matchAll(/href="(\w*)#([^"]+)"/g), ([, target, id]) => ({
      target: (target === '' ? page : target) as keyof typeof anchors,
      id,
    }));
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(({ target, id }) => !anchors[target].has(id))).toEqual([]);
    // No anchor is there twice.
    const ids = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
    expect(ids).toHaveLength(new Set(ids).size);
  }
});

test('a decision is shown with its rule first, and with the titles of its clauses', async () => {
  const { decisions } = await renderTexts({
    specification: '### 1.1 Errors\n\n**1.1.1** A.\n',
    decisions:
      '### D2 One\n- **The contract does not define this in:** 1.1.1.\n- **Problem:** P.\n- **Decision:**\n  - Rule. More.\n  - Exception.\n- **Consequence:** C.\n',
  });
  const text = decisions.html.slice(decisions.html.indexOf('<h3')).replace(/<[^>]+>|\s+/g, ' ');
  expect(text.replace(/ +/g, ' ').trim()).toBe(
    'D2 One Rule. More. Exception. Why: P. C. Clauses that leave this open, in whole or in part: 1.1.1 Errors',
  );
  expect(decisions.html).toContain('<p><strong>Rule.</strong> More.</p>');
  expect(decisions.html).toContain('A real server may differ.');
});

test('a path in the contents breaks behind its slashes', async () => {
  const { specification } = await renderTexts({ specification: '## 1 A: `POST /a/b`\n', decisions: '' });
  expect(specification.html).toContain('<a href="#1">1 A: <code>POST /<wbr>a/<wbr>b</code></a>');
});
