import { limits } from '@orgchat/spec';
import { type Command, Option } from 'commander';
import { action, examples } from '../action.ts';
import { addChangeOptions, type ChangeOptions, operationIdOf } from '../changes.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Failure, invalidInput, usage } from '../failure.ts';
import { readText } from '../input.ts';
import {
  type ImportState,
  importPath,
  isFinished,
  readImport,
  writeImport,
} from '../keywords/import-state.ts';
import {
  chunksOf,
  type Found,
  type InputKind,
  inputKinds,
  type KeywordList,
  kindOfFile,
  readKeywords,
  tidy,
} from '../keywords/read.ts';
import { report } from '../keywords/report.ts';
import { sendChunks, settleInterrupted } from '../keywords/send.ts';

export function configure(command: Command): void {
  add(command);
  bulk(command);
}

interface AddOptions {
  readonly group?: string;
  readonly dryRun?: true;
}

function listOf(found: readonly Found[], skipInvalid: boolean): KeywordList {
  const list = tidy(found);
  const [first] = list.invalid;
  if (first !== undefined && !skipInvalid) {
    const more = list.invalid.length > 1 ? `, and ${list.invalid.length - 1} more` : '';
    throw invalidInput(
      `Line ${first.line} is ${first.reason}${more}; nothing was sent.`,
      'Mend the list, or leave such keywords out with --skip-invalid.',
      { invalid: list.invalid },
    );
  }
  if (list.keywords.length === 0) throw invalidInput('There are no keywords.', 'Give some, one a line.');
  return list;
}

function newState(
  baseUrl: string,
  site: string,
  group: string | undefined,
  keywords: readonly string[],
): ImportState {
  const chunks = chunksOf(keywords).map((chunk) => ({
    keywords: chunk,
    state: 'todo' as const,
    added: [],
    skipped: [],
  }));
  return {
    format: 1,
    baseUrl,
    site,
    ...(group !== undefined && { group }),
    startedAt: new Date().toISOString(),
    chunks,
  };
}

function add(command: Command): void {
  const adding = command
    .command('add')
    .description(`add keywords to a site, up to ${limits.keywordsPerRequest} a request`)
    .argument('<site>', "the site's id")
    .argument('<keyword...>', 'keywords, or - to read them from standard input, one a line')
    .option('--group <group>', 'a group to put them in');
  addChangeOptions(adding);
  action<AddOptions & ChangeOptions>(adding, async (context, options, site, ...typed) => {
    const { group, dryRun } = options;
    const words =
      typed.length === 1 && typed[0] === '-'
        ? readKeywords(await readText('-'), 'text', undefined)
        : undefined;
    const list = listOf(words ?? typed.map((keyword, index) => ({ keyword, line: index + 1 })), false);
    const { target } = await context.connect();
    const state = newState(target.baseUrl, site, group, list.keywords);
    if (dryRun) return preview(context, state);
    const operationId = await operationIdOf(options);
    if (operationId !== undefined && state.chunks.length > 1) {
      throw usage(
        `One operation adds at most ${limits.keywordsPerRequest} keywords.`,
        'Leave out --operation-id and --intent, or use keywords import, which knows what it has sent.',
      );
    }
    const failure = await sendChunks(context, state, async () => {}, operationId);
    await finish(context, state, failure);
  });
  examples(
    adding,
    ['orgchat keywords add demo-site summer sale --group season'],
    ['cat words.txt | orgchat keywords add demo-site -'],
  );
}

async function preview(context: Context, { site, group, chunks }: ImportState): Promise<void> {
  context.output.note('Nothing was sent (--dry-run).');
  await context.output.one({
    site,
    ...(group !== undefined && { group }),
    requests: chunks.map(({ keywords }) => ({ keywords })),
  });
}

interface ImportOptions extends AddOptions {
  readonly input?: InputKind;
  readonly column?: string;
  readonly skipInvalid?: true;
  readonly resume?: true;
  readonly retryUnknown?: true;
  readonly restart?: true;
}

function bulk(command: Command): void {
  const importing = command
    .command('import')
    .description(
      `add many keywords, ${limits.keywordsPerRequest} a request, and report what became of each request`,
    )
    .argument('<site>', "the site's id")
    .argument('<file|->', 'a text (one a line), CSV or JSON lines')
    .option('--group <group>', 'a group to put them in')
    .addOption(
      new Option('--input <kind>', 'what the file is, where its name does not tell').choices(inputKinds),
    )
    .option('--column <name|n>', 'the column of a CSV, or the field of JSON lines (default keyword)')
    .option('--skip-invalid', 'leave out what is too long')
    .option('--resume', 'go on with an import that was broken off; unknown requests stay unknown')
    .option('--retry-unknown', 'also send again what may have been added; then it is reported as skipped')
    .option('--restart', 'forget the earlier run and begin anew')
    .option('--dry-run', 'print what would be sent, and send nothing');
  action<ImportOptions>(importing, async (context, options, site, file) => {
    const found = readKeywords(await readText(file), options.input ?? kindOfFile(file), options.column);
    const list = listOf(found, options.skipInvalid === true);
    const { client, target } = await context.connect();
    const path = importPath(target.baseUrl, site, options.group, list.keywords);
    const earlier = options.restart ? undefined : await readImport(path);
    const state =
      earlier && !isFinished(earlier)
        ? earlier
        : newState(target.baseUrl, site, options.group, list.keywords);
    if (options.dryRun) return preview(context, state);
    if (state === earlier) {
      if (!options.resume && !options.retryUnknown) throw unfinished(state);
      await settleInterrupted(client, state);
      for (const chunk of state.chunks) {
        if (chunk.state === 'refused' || (chunk.state === 'unknown' && options.retryUnknown))
          chunk.state = 'todo';
      }
    }
    const failure = await sendChunks(context, state, () => writeImport(path, state));
    await finish(context, state, failure, list);
  });
  examples(
    importing,
    ['orgchat keywords import demo-site words.txt'],
    ['orgchat keywords import demo-site words.csv --column term --group season'],
    ['orgchat keywords import demo-site words.txt --resume', 'after Ctrl-C, or a limit'],
    ['orgchat keywords import demo-site words.txt --retry-unknown', 'when you looked, or it does not matter'],
  );
}

function unfinished({ startedAt, chunks }: ImportState): Failure {
  const count = (state: string): number => chunks.filter((chunk) => chunk.state === state).length;
  const unknown = count('unknown') + count('sending');
  return usage(
    `This import was begun at ${startedAt} and is not finished: ${count('todo')} requests to send, ${unknown} unknown.`,
    '--resume sends the rest, --retry-unknown also what is unknown, --restart begins anew.',
    'IMPORT_UNFINISHED',
  );
}

/** Prints what became of it all; where nothing came of it, that is an error like any other. */
async function finish(
  context: Context,
  state: ImportState,
  failure: Failure | undefined,
  list?: KeywordList,
): Promise<void> {
  const { chunks } = state;
  const nothing = chunks.every(({ state: is }) => is === 'todo' || is === 'refused');
  if (failure !== undefined && (nothing || chunks.length === 1)) throw failure;
  const { document, counts, exit, advice } = report(state, failure, list);
  const { added, skipped } = document;
  const shown = list === undefined && exit === exitCodes.done ? { added, skipped } : document;
  context.exitCode = exit;
  await context.output.one(context.output.format === 'table' && list !== undefined ? counts : shown);
  for (const line of advice) context.output.warn(line);
}
