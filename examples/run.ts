/* Runs one of the examples: `npm run example lost-response`. Without a name it lists them. */
import { existsSync, readdirSync } from 'node:fs';

const here = new URL('./', import.meta.url);
const names = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/index.ts`, here)))
  .map((entry) => entry.name);

const [name] = process.argv.slice(2);
if (name === undefined || !names.includes(name)) {
  if (name !== undefined) console.error(`Unknown example "${name}".`);
  console.error(`Examples: ${names.join(', ')}`);
  console.error('Run one with: npm run example NAME');
  process.exitCode = name === undefined ? 0 : 3;
} else {
  await import(new URL(`${name}/index.ts`, here).href);
}
