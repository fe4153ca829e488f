import type { GenerateOptions } from '@orgchat/mock-server';
import type { Command } from 'commander';
import { action, examples } from '../action.ts';
import { integer } from '../parsers.ts';
import { writeData } from '../streams.ts';

interface SeedOptions extends GenerateOptions {
  readonly output?: string;
}

/** `mock seed`: the demo organization, or one of any size. */
export function configureSeed(command: Command): void {
  const count = integer(0);
  const seeding = command
    .command('seed')
    .description(
      'write a seed for "mock start --seed": the demo organization, or as much more as is asked for',
    )
    .option('--friends <n>', 'so many friends more', count)
    .option('--messages <n>', 'messages of each of them (default 3)', count)
    .option('--tags <n>', 'so many tags more', count)
    .option('--templates <n>', 'so many templates more', count)
    .option('--documents <n>', 'so many documents more, in a project of their own', count)
    .option('--keywords <n>', 'so many keywords more on the first site', count)
    .option('--random-seed <n>', 'the same number makes the same seed (default 1)', count)
    .option(
      '-o, --output <file>',
      'write it to a file; .yaml makes it YAML, but a large one is read faster as JSON',
    );
  action<SeedOptions>(seeding, async (context, options) => {
    const { output: file, friends, messages, tags, templates, documents, keywords, randomSeed } = options;
    const sizes = { friends, messages, tags, templates, documents, keywords, randomSeed };
    const given = Object.fromEntries(Object.entries(sizes).filter(([, size]) => size !== undefined));
    const isYaml = options.format === undefined ? /\.ya?ml$/i.test(file ?? '') : options.format === 'yaml';
    const { seedOf, writeSeed } = await import('../mock/seed.ts');
    const seed = seedOf(given);
    const format = isYaml ? 'yaml' : 'json';
    if (file === undefined || file === '-') return writeSeed(seed, format, (text) => writeData(text, 'text'));
    const { writeWhole } = await import('../output/file.ts');
    await writeWhole(file, (write) => writeSeed(seed, format, write));
    context.output.note(`The seed is in ${file}. Use it: orgchat mock start --seed ${file}`);
  });
  examples(
    seeding,
    ['orgchat mock seed > seed.json && orgchat mock start --seed seed.json'],
    ['orgchat mock seed -o seed.yaml', 'as YAML, to be edited'],
    ['orgchat mock seed --friends 100000 --tags 50 -o large.json', 'always the same 100,000'],
  );
}
