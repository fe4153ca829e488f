/** Debian's browser: Playwright's own is a download. */
const launchOptions = {
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
};

export default {
  testDir: '.',
  testMatch: 'browser.playwright.mjs',
  workers: 1,
  timeout: 60_000,
  build: { external: ['**/dist/**'] },
  use: { launchOptions },
};
