/* Runs one of the examples: `npm run example lost-response`. Without a name it lists them. */
import { listExamples } from './list-examples.ts';

const examples = listExamples().filter(({ file }) => file === 'index.ts');

const [name] = process.argv.slice(2);
if (name === undefined || !examples.some((example) => example.name === name)) {
  if (name !== undefined) console.error(`Unknown example "${name}".`);
  for (const example of examples) console.error(`${example.name.padEnd(22)}${example.lesson}`);
  console.error('Run one with: npm run example NAME');
  process.exitCode = name === undefined ? 0 : 3;
} else {
  await import(new URL(`./${name}/index.ts`, import.meta.url).href);
}
