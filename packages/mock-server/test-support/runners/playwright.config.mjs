/** What is built is not compiled again, as in a project that has the package in node_modules. */
const build = { external: ['**/dist/**'] };

export default { testDir: '.', testMatch: 'fixtures.playwright.mjs', workers: 2, build };
