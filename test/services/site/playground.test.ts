import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, root, type Site } from './open-site.ts';

/* The playground of the site: code in a worker, with the SDK and the mock. */

let site: Site;
let page: Page;
let problems: string[];

beforeAll(async () => {
  site = await openSite();
  ({ page, problems } = await site.open('/playground', { colorScheme: 'light', width: 1024 }));
});
afterAll(() => site.close());

const runButton = () => page.getByRole('button', { name: 'Run', exact: true });

const readOutput = async (): Promise<string> => (await page.locator('.output p').allInnerTexts()).join('\n');

/** Runs code to its end, and returns what it printed. */
async function run(code: string): Promise<string> {
  await page.locator('textarea').fill(code);
  await page.locator('textarea').press('Control+Enter');
  await runButton().waitFor();
  return readOutput();
}

describe('a preset', () => {
  it.each([
    [
      'Lost answer',
      /replayed: true\ntags named Spring: 1$/,
      /Created, answer lost[\s\S]*→ no answer[\s\S]*Replayed[\s\S]*→ 200\s*It repeats request 1:[\s\S]*stored answer was returned/,
    ],
    [
      'Conflict',
      /update: STALE_REVISION\nedit: Spring sale green$/,
      /Refused[\s\S]*409 STALE_REVISION[\s\S]*Updated/,
    ],
    [
      'Rate limit',
      /^third request: RATE_LIMITED\na minute later: Demo write key$/,
      /Read[\s\S]*Refused[\s\S]*429 RATE_LIMITED/,
    ],
    ['Same intent', /same record: true\ntags named Order A-17: 1$/, /stored answer was returned/],
  ])('%s runs in a worker, and the log says why', async (preset, output, log) => {
    await page.getByRole('button', { name: preset }).click();
    await runButton().waitFor();
    expect(await readOutput()).toMatch(output);
    const listed = await page.locator('.log').textContent();
    expect(listed).toMatch(log);
    // An id has 36 characters. Its beginning is enough to follow it.
    expect(listed).not.toMatch(/-[\da-f]{12}/);
    expect(problems).toEqual([]);
  });

  it.each([
    ['Lost answer', /replayed: false\ntags named Spring: 1$/, ['Created', 'Read']],
    ['Conflict', /^edit: Spring sale green$/, ['Created', 'Updated', 'Read', 'Refused', 'Read', 'Updated']],
    ['Rate limit', /^a minute later: Demo write key$/, ['Read', 'Read', 'Read', 'Read']],
    ['Same intent', /same record: false\ntags named Order A-17: 2$/, ['Created', 'Created', 'Read']],
  ])('%s has a next step, which does what it says', async (preset, output, effects) => {
    await page.getByRole('button', { name: preset }).click();
    await runButton().waitFor();
    await page.getByRole('button', { name: /and run$/ }).click();
    await runButton().waitFor();
    expect(await readOutput()).toMatch(output);
    expect(await page.locator('.log .effect').allInnerTexts()).toEqual(effects);
    expect(await page.getByRole('button', { name: /and run$/ }).isDisabled()).toBe(true);
  });

  it('is run by a button above the code', async () => {
    const section = page.locator('section', { has: page.locator('textarea') });
    expect(await section.getByRole('button', { name: 'Run', exact: true }).isVisible()).toBe(true);
  });

  it('says whether what is shown is of this code', async () => {
    const status = page.getByRole('status');
    await page.reload();
    await expect.poll(() => status.textContent()).toBe('Ran on load: 3 requests, 1 change applied');
    await page.locator('textarea').fill("console.log('mine');");
    expect(await status.textContent()).toBe('Edited, not run yet');
    await runButton().click();
    await expect.poll(() => status.textContent()).toBe('Done: 0 requests');
  });

  it('leads from a reason to its clause, beside the code', async () => {
    await page.getByRole('button', { name: 'Lost answer' }).click();
    await runButton().waitFor();
    const [clause] = await Promise.all([
      page.waitForEvent('popup'),
      page.locator('.log').getByRole('link', { name: 'Read clause 6.6 of the contract' }).click(),
    ]);
    const place = clause.locator('strong:target');
    expect(await place.textContent()).toBe('6.6');
    await expect
      .poll(() => place.evaluate((element) => element.getBoundingClientRect().top))
      .toBeLessThan(400);
    await clause.close();
    expect(await page.locator('textarea').inputValue()).toContain('lose-response');
  });
});

describe('the code', () => {
  it.each(['Lost answer', 'Conflict', 'Same intent'])('of the preset %s is shown whole', async (preset) => {
    await page.getByRole('button', { name: preset }).click();
    await runButton().waitFor();
    await page.locator('button[aria-pressed="true"]', { hasText: preset }).waitFor();
    const { hidden, lineHeight } = await page.locator('.code-editor .box').evaluate((box) => ({
      hidden: box.scrollHeight - box.clientHeight,
      lineHeight: box.clientHeight / box.querySelector('textarea').value.split('\n').length,
    }));
    expect(hidden).toBe(0);
    expect(lineHeight).toBeLessThan(25);
  });

  it('has colors below the text area, which follow what is typed', async () => {
    await page.locator('textarea').fill("const name = 'Spring';");
    const colored = page.locator('pre.vp-code');
    await expect.poll(() => colored.textContent()).toBe("const name = 'Spring';\n");
    const colors = await colored
      .locator('span span')
      .evaluateAll((spans) =>
        spans.map((span) => span.ownerDocument.defaultView?.getComputedStyle(span).color),
      );
    expect(new Set(colors).size).toBeGreaterThan(2);
  });

  it('may import every export of both packages, in each form', async () => {
    const names = async (file: string): Promise<string[]> =>
      Object.keys((await import(/* @vite-ignore */ `${root}packages/${file}`)) as object).sort();
    const sdk = await names('sdk/dist/esm/index.js');
    const mock = await names('mock-server/dist/esm/browser.js');
    expect([sdk.length > 20, mock.length > 4]).toEqual([true, true]);
    const list = (all: readonly string[]): string =>
      all.filter((name) => name !== 'createMock').join(',\n  ');
    const printed = await run(`import {
  ${list(sdk)},
} from "@orgchat/sdk"
import { ${list(mock)} } from '@orgchat/mock-server/browser';
import * as browser from '@orgchat/mock-server/browser';
import { createMock as create } from '@orgchat/mock-server/browser';

console.log([${list([...sdk, ...mock])}].filter((value) => value === undefined).length);
console.log(Object.keys(browser).length, create === browser.createMock);`);
    expect(printed).toBe(`0\n${mock.length} true`);
  });

  it('is refused with a reason', async () => {
    expect(await run('let x = ;')).toMatch(/^The code has a syntax error/);
    expect(await run("import { nothing } from '@orgchat/sdk';")).toMatch(
      /imports a name that the package does/,
    );
    expect(await run("import { join } from 'lodash';")).toMatch(
      /^"lodash" cannot be imported here\. .*@orgchat\/sdk/,
    );
    expect(await run("throw new RangeError('no');")).toBe('RangeError: no');
    expect(await run("await fetch('https://example.com/');")).toMatch(/^TypeError: /);
    expect(problems.filter((problem) => problem.startsWith('a request'))).toEqual([]);
  });
});

describe('the output', () => {
  it('has values that JSON cannot say', async () => {
    const printed = await run(`const round = { name: 'round', map: new Map([['a', 1n]]) };
round.self = [round];
console.log(round);
console.log(undefined, null, -0, Symbol('s'), () => 1, new Set([{}, {}]));
const same = { x: 1 };
console.log({ one: same, other: same });
console.log({ get broken() { throw new Error('no'); } });
void Promise.reject(new Error('nobody waits for it'));
await new Promise((done) => setTimeout(done, 20));`);
    expect(printed).toContain('"self": [\n    "[circular]"\n  ]');
    expect(printed).toContain('"a": "1n"');
    expect(printed).toContain('undefined null 0 Symbol(s) [function] [\n  {},\n  {}\n]');
    expect(printed).toContain('"other": {\n    "x": 1\n  }');
    expect(printed).toContain('[a value that cannot be shown]');
    expect(printed).toContain('Error: nobody waits for it');
  });

  it('of an endless loop is limited, and the page can be used and the loop stopped', async () => {
    const full = 'The rest is not shown: 500 lines or 100000 characters are printed.';
    for (const [text, lines] of [
      ['n', 500],
      ["'x'.repeat(60_000)", 2],
    ] as const) {
      await page.locator('textarea').fill(`for (let n = 0; ; n++) console.log(${text});`);
      await runButton().click();
      await page.getByText(full).waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      const printed = (await readOutput()).split('\n');
      expect(printed.slice(lines)).toEqual([full, 'Stopped.']);
    }
    expect(await run("console.log('again');")).toBe('again');
  });

  it('lists the newest of many requests', async () => {
    await run(`import { createMock } from '@orgchat/mock-server/browser';
const mock = createMock({ rateLimit: 'off' });
const headers = { Authorization: \`Bearer \${mock.writeKey}\` };
for (let n = 0; n < 150; n++) await mock.fetch(\`\${mock.baseUrl}/me\`, { headers });`);
    expect(await page.locator('.log li').count()).toBe(100);
    expect(await page.getByText('the newest 100 of 150').isVisible()).toBe(true);
  });
});

it('brings the output into sight on a phone, and the preset back', async () => {
  const phone = await site.open('/playground', { colorScheme: 'light', width: 320, isTouched: true });
  const button = (name: string) => phone.page.getByRole('button', { name, exact: true });
  await phone.page.locator('textarea').fill("console.log('mine');");
  await button('Run').click();
  const output = phone.page.locator('.output');
  await expect.poll(() => output.textContent()).toContain('mine');
  await expect
    .poll(() => output.evaluate((element) => element.getBoundingClientRect().top))
    .toBeLessThan(500);
  await button('Reset').click();
  await expect.poll(() => output.textContent()).toContain('replayed: true');
  await phone.page.context().close();
});

it.each([
  ['reduce', 'instant'],
  ['no-preference', 'smooth'],
] as const)('scrolls to the output as a reader prefers it: %s', async (reducedMotion, behavior) => {
  const phone = await site.open('/playground', { colorScheme: 'light', width: 390, isTouched: true });
  await phone.page.emulateMedia({ reducedMotion });
  const results = phone.page.locator('.results');
  await results.evaluate((element) => {
    element.scrollIntoView = (options: { behavior: string }) =>
      element.setAttribute('data-scrolled', options.behavior);
  });
  await phone.page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(() => results.getAttribute('data-scrolled')).toBe(behavior);
  await phone.page.context().close();
});

it('shows a hint about the keyboard, but not on a screen that is touched', async () => {
  const hint = 'Ctrl+Enter';
  expect(await page.getByText(hint).isVisible()).toBe(true);
  const phone = await site.open('/playground', { colorScheme: 'dark', width: 320, isTouched: true });
  expect(await phone.page.getByText(hint).isVisible()).toBe(false);
  await phone.page.context().close();
});
