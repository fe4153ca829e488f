import { limits } from '@orgchat/spec';
import { type Command, Option } from 'commander';
import { action, examples } from '../action.ts';
import { addChangeOptions, type ChangeOptions, operationIdOf } from '../changes.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { invalidInput, usage } from '../failure.ts';
import { readText } from '../input.ts';
import { type ImportMode, planImport, tellEarlier } from '../keywords/import.ts';
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
import { type Destination, newRecord, recordPath } from '../keywords/record.ts';
import { report } from '../keywords/report.ts';
import { sendKeywords } from '../keywords/send.ts';
import { asSole } from '../keywords/sole.ts';

export function configure(command: Command): void {
  add(command);
  bulk(command);
  examples(
    command,
    ['orgchat keywords add demo-site summer sale'],
    ['orgchat keywords import demo-site words.txt', 'thousands, fifty a request'],
  );
}

interface AddOptions {
  readonly group?: string;
  readonly dryRun?: true;
}

/** How a list of keywords was given, for what is said of it. */
interface Source {
  /** What a place in the list is called. */
  readonly unit: 'Line' | 'Keyword';
  /** What to do about a keyword that is not valid. */
  readonly hint: string;
}

const inFile: Source = {
  unit: 'Line',
  hint: 'Fix the list, or leave such keywords out with --skip-invalid.',
};
const inArguments: Source = { unit: 'Keyword', hint: 'Shorten the keyword, or leave it out.' };
const onStdin: Source = {
  unit: 'Line',
  hint: 'Fix the list; "orgchat keywords import SITE - --skip-invalid" leaves such keywords out.',
};

function listOf(found: readonly Found[], skipInvalid: boolean, { unit, hint }: Source): KeywordList {
  const list = tidy(found);
  const [first] = list.invalid;
  if (first !== undefined && !skipInvalid) {
    const more = list.invalid.length > 1 ? `, and ${list.invalid.length - 1} more` : '';
    const problem = `${unit} ${first.line} is ${first.reason}${more}; nothing was sent.`;
    throw invalidInput(problem, hint, { invalid: list.invalid });
  }
  if (list.keywords.length === 0) throw invalidInput('There are no keywords.', 'Give some, one per line.');
  return list;
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
    const { dryRun } = options;
    const group = options.group?.trim();
    const words =
      typed.length === 1 && typed[0] === '-'
        ? readKeywords(await readText('-'), 'text', undefined)
        : undefined;
    const list =
      words === undefined
        ? listOf(
            typed.map((keyword, index) => ({ keyword, line: index + 1 })),
            false,
            inArguments,
          )
        : listOf(words, false, onStdin);
    const { target } = await context.connect();
    const place = { baseUrl: target.baseUrl, site, group };
    if (dryRun) return preview(context, place, list.keywords);
    const operationId = await operationIdOf(options);
    if (operationId !== undefined && list.keywords.length > limits.keywordsPerRequest) {
      throw usage(
        `One operation adds at most ${limits.keywordsPerRequest} keywords.`,
        'Leave out --operation-id and --intent, or use keywords import, which knows what it has sent.',
      );
    }
    const record = newRecord(place);
    const { keywords } = list;
    const failure = await sendKeywords(context, { record, keywords, save: async () => {}, operationId });
    const told = report(record, list, failure);
    if (failure !== undefined && (!told.something || keywords.length <= limits.keywordsPerRequest))
      throw failure;
    context.exitCode = told.exit;
    const { added, skipped } = told.document;
    await context.output.one(told.exit === exitCodes.done ? { added, skipped } : told.document);
    for (const line of told.advice) context.output.warn(line);
  });
  examples(
    adding,
    ['orgchat keywords add demo-site summer sale --group season'],
    ['cat words.txt | orgchat keywords add demo-site -'],
  );
}

async function preview(
  context: Context,
  { site, group }: Destination,
  keywords: readonly string[],
): Promise<void> {
  context.output.note('Nothing was sent (--dry-run).');
  const requests = chunksOf(keywords).map((chunk) => ({ keywords: chunk }));
  await context.output.one({ site, ...(group !== undefined && { group }), requests });
}

interface ImportOptions extends AddOptions, ImportMode {
  readonly input?: InputKind;
  readonly column?: string;
  readonly skipInvalid?: true;
}

const afterwards = 'run this again with --resume: it sends what has no answer yet';

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
    .option('--resume', 'send only what no earlier run has an answer for, also after one that was finished')
    .option('--retry-unknown', 'also send again what may have been added; what is there is skipped')
    .option('--restart', 'send again what was added, too; what is unknown stays so')
    .option('--dry-run', 'print what would be sent, and send nothing');
  action<ImportOptions>(importing, async (context, options, site, file) => {
    const found = readKeywords(await readText(file), options.input ?? kindOfFile(file), options.column);
    const list = listOf(found, options.skipInvalid === true, inFile);
    const { client, target } = await context.connect();
    const place = { baseUrl: target.baseUrl, site, group: options.group?.trim() };
    const path = recordPath(place);
    if (options.dryRun) {
      const { keywords } = await planImport(client, path, place, list, options);
      return preview(context, place, keywords);
    }
    const use = { path, place, timeoutMs: options.timeout, afterwards };
    const { failure, told } = await asSole(use, async (write) => {
      const planned = await planImport(client, path, place, list, options);
      tellEarlier(context, planned, list);
      const { record, keywords } = planned;
      const save = (): Promise<void> => write(record);
      const failure = await sendKeywords(context, { record, keywords, save });
      const told = report(record, list, failure);
      record.finished = told.exit === exitCodes.done;
      await save();
      return { failure, told };
    });
    // Where nothing came of it, that is an error like any other.
    if (failure !== undefined && !told.something) throw failure;
    context.exitCode = told.exit;
    await context.output.one(context.output.format === 'table' ? told.counts : told.document);
    for (const line of told.advice) context.output.warn(line);
  });
  examples(
    importing,
    ['orgchat keywords import demo-site words.txt'],
    ['orgchat keywords import demo-site words.csv --column term --group season'],
    ['orgchat keywords import demo-site words.txt --resume', 'after Ctrl-C, or a limit'],
    ['orgchat keywords import demo-site words.txt --retry-unknown', 'when you looked, or it does not matter'],
  );
}
