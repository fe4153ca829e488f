import type { GenerateOptions } from '@orgchat/mock-server';
import { type Command, InvalidArgumentError } from 'commander';
import type { GlobalOptions } from '../../args/global-options.ts';
import { toShellWord } from '../../args/shell-word.ts';
import { integer } from '../../args/value-parsers.ts';
import type { Context } from '../../context.ts';
import { action, examples } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import type { SeedSource } from '../../mock/seed/create-seed-from.ts';
import type { FriendCount } from '../../mock/seed/read-friends.ts';
import { writeData } from '../../output/streams.ts';

interface SeedOptions extends GenerateOptions {
  readonly fromOrganization?: true;
  readonly fromConfig?: string;
  readonly withFriends?: FriendCount;
  readonly withStudio?: true;
  readonly mask?: boolean;
  readonly output?: string;
}

/** A number of friends, or `all`. */
function friendCount(text: string): FriendCount {
  if (text === 'all') return text;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a number of friends, or all.');
  return Number(text);
}

/** `mock seed`: the demo organization, one of any size, or a copy of a real one. */
export function configureSeed(command: Command): void {
  const count = integer(0);
  const seeding = command
    .command('seed')
    .description(
      'write a seed for "mock start --seed": demo data, generated data, or a masked copy of a real organization',
    )
    .option('--friends <n>', 'number of additional friends', count)
    .option('--messages <n>', 'messages per additional friend (default 3)', count)
    .option('--tags <n>', 'number of additional tags', count)
    .option('--templates <n>', 'number of additional templates', count)
    .option('--documents <n>', 'number of additional documents, in a project of their own', count)
    .option('--keywords <n>', 'number of additional keywords on the first site', count)
    .option('--random-seed <n>', 'random seed; the same number gives the same data (default 1)', count)
    .option('--from-organization', 'copy the configuration of the organization of the API key, masked')
    .option('--with-friends <n|all>', 'also copy the newest friends, with everything they wrote', friendCount)
    .option('--with-studio', 'also copy the projects and documents of Studio')
    .option('--from-config <file>', 'copy the records of a file that "config export" wrote')
    .option('--mask', 'replace all texts, names, ids and URLs (default with --from-organization)')
    .option('--no-mask', 'keep real texts, names, ids and URLs (default with --from-config)')
    .option('-o, --output <file>', 'file to write, JSON or .yaml (JSON loads faster)');
  action<SeedOptions>(seeding, writeRequestedSeed);
  examples(
    seeding,
    ['orgchat mock seed > seed.json && orgchat mock start --seed seed.json'],
    ['orgchat mock seed -o seed.yaml', 'as YAML, for editing'],
    ['orgchat mock seed --friends 100000 --tags 50 -o large.json', '100,000 friends, always the same'],
    ['orgchat mock seed --from-organization --with-friends 100 -o seed.json', 'a masked copy'],
    ['orgchat mock seed --from-config orgchat.yaml -o seed.json', 'what "config export" wrote'],
  );
}

async function writeRequestedSeed(context: Context, options: SeedOptions & GlobalOptions): Promise<void> {
  const { output, friends, messages, tags, templates, documents, keywords, randomSeed } = options;
  const file = output === '-' ? undefined : output;
  const sizes = { friends, messages, tags, templates, documents, keywords, randomSeed };
  const given = Object.fromEntries(Object.entries(sizes).filter(([, size]) => size !== undefined));
  const source = getSource(options, Object.keys(given));
  const isYaml = options.format === undefined ? /\.ya?ml$/i.test(file ?? '') : options.format === 'yaml';
  const format = isYaml ? 'yaml' : 'json';
  const { createSeed, writeSeed } = await import('../../mock/seed/write-seed.ts');
  const seed =
    source === undefined ? createSeed(given) : await createSeedFrom(context, options, source, file);
  if (file === undefined) return writeSeed(seed, format, (text) => writeData(text, 'text'));
  const { writeAtomic } = await import('../../output/write-file.ts');
  const mode = source === undefined ? undefined : 0o600;
  await writeAtomic(file, (write) => writeSeed(seed, format, write), mode);
  context.output.note(`Seed saved to ${file}. Use it: orgchat mock start --seed ${toShellWord(file)}`);
}

async function createSeedFrom(
  context: Context,
  { mask }: SeedOptions,
  source: SeedSource,
  file: string | undefined,
): Promise<object> {
  const from = await import('../../mock/seed/create-seed-from.ts');
  return from.createSeedFrom(context, { source, mask: mask ?? source.kind === 'organization', file });
}

const toFlag = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** What the seed is copied from; undefined if it is generated. Throws if the options contradict each other. */
function getSource(options: SeedOptions, sizes: readonly string[]): SeedSource | undefined {
  const { fromOrganization, fromConfig, withFriends, withStudio, mask } = options;
  const fail = (message: string, hint: string): never => {
    throw usageError(message, hint);
  };
  if (fromOrganization && fromConfig !== undefined)
    fail('--from-organization and --from-config cannot be used together.', 'Pass only one of them.');
  const from = fromOrganization ? '--from-organization' : '--from-config';
  const [size] = sizes;
  if ((fromOrganization || fromConfig !== undefined) && size !== undefined)
    fail(
      `${toFlag(size)} cannot be used with ${from}: it sets the size of a generated seed.`,
      fromOrganization ? 'To copy friends, use --with-friends.' : `Remove ${toFlag(size)}.`,
    );
  if (!fromOrganization) {
    const only = withFriends === undefined ? (withStudio ? '--with-studio' : undefined) : '--with-friends';
    if (only !== undefined) fail(`${only} requires --from-organization.`, 'Add --from-organization.');
  }
  if (fromOrganization) return { kind: 'organization', friends: withFriends, studio: withStudio === true };
  if (fromConfig !== undefined) return { kind: 'config', file: fromConfig };
  if (mask !== undefined)
    fail(
      `${mask ? '--mask' : '--no-mask'} requires --from-organization or --from-config.`,
      'The demo and generated seeds contain no real data.',
    );
  return undefined;
}
