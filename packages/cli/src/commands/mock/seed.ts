import type { GenerateOptions } from '@orgchat/mock-server';
import type { Command } from 'commander';
import { integer } from '../../args/value-parsers.ts';
import { action, examples } from '../../define-command.ts';
import { writeData } from '../../output/streams.ts';

interface SeedOptions extends GenerateOptions {
  readonly output?: string;
}

/** `mock seed`: the demo organization, or one of any size. */
export function configureSeed(command: Command): void {
  const count = integer(0);
  const seeding = command
    .command('seed')
    .description('write a seed for "mock start --seed": the demo organization, or a larger one')
    .option('--friends <n>', 'number of additional friends', count)
    .option('--messages <n>', 'messages per additional friend (default 3)', count)
    .option('--tags <n>', 'number of additional tags', count)
    .option('--templates <n>', 'number of additional templates', count)
    .option('--documents <n>', 'number of additional documents, in a project of their own', count)
    .option('--keywords <n>', 'number of additional keywords on the first site', count)
    .option('--random-seed <n>', 'random seed; the same number gives the same data (default 1)', count)
    .option('-o, --output <file>', 'file to write, JSON or .yaml (JSON loads faster)');
  action<SeedOptions>(seeding, async (context, options) => {
    const { output: file, friends, messages, tags, templates, documents, keywords, randomSeed } = options;
    const sizes = { friends, messages, tags, templates, documents, keywords, randomSeed };
    const given = Object.fromEntries(Object.entries(sizes).filter(([, size]) => size !== undefined));
    const isYaml = options.format === undefined ? /\.ya?ml$/i.test(file ?? '') : options.format === 'yaml';
    const { createSeed, writeSeed } = await import('../../mock/write-seed.ts');
    const seed = createSeed(given);
    const format = isYaml ? 'yaml' : 'json';
    if (file === undefined || file === '-') return writeSeed(seed, format, (text) => writeData(text, 'text'));
    const { writeAtomic } = await import('../../output/write-file.ts');
    await writeAtomic(file, (write) => writeSeed(seed, format, write));
    context.output.note(`Seed saved to ${file}. Use it: orgchat mock start --seed ${file}`);
  });
  examples(
    seeding,
    ['orgchat mock seed > seed.json && orgchat mock start --seed seed.json'],
    ['orgchat mock seed -o seed.yaml', 'as YAML, for editing'],
    ['orgchat mock seed --friends 100000 --tags 50 -o large.json', '100,000 friends, always the same'],
  );
}
