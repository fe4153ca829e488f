/* The second step of the build: the CommonJS build, and the ES modules that re-export it. See build-support/module-systems.ts. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeCommonJs, writeReexports } from '../../build-support/module-systems.ts';
import { bundleBrowser } from './bundle-browser.ts';

const esm = fileURLToPath(new URL('./dist/esm', import.meta.url));
const cjs = fileURLToPath(new URL('./dist/cjs', import.meta.url));

await writeCommonJs(esm, cjs, { sourcesContent: false });

// vitest cannot be required, so its entry point stays an ES module. It takes the rest from the CommonJS build as well.
const vitest = join(esm, 'vitest.js');
writeFileSync(vitest, readFileSync(vitest, 'utf8').replaceAll(/(?<=["'])\.\/(?=[\w-]+\.js["'])/g, '../cjs/'));
for (const file of readdirSync(esm)) {
  if (/\.js(?:\.map)?$/.test(file) && !file.startsWith('vitest.js')) rmSync(join(esm, file));
}
writeReexports(cjs, esm, ['index', 'msw', 'node-test', 'playwright']);
// Those who bundle this one take what they need of it, so each module system has its own.
for (const format of ['esm', 'cjs'] as const) {
  for (const { path, contents } of (await bundleBrowser(format)).outputFiles) writeFileSync(path, contents);
}
// This one can only be loaded in Jest.
writeFileSync(join(esm, 'jest.js'), "export { it, test, testWith } from '../cjs/jest.js';\n");
