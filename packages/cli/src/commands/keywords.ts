import type { AddKeywordsResult } from '@orgchat/sdk';
import { endWaitsOnly, splitIntoRequests } from '@orgchat/sdk/internal';
import { limits } from '@orgchat/spec';
import { type Command, Option } from 'commander';
import { toShellWord } from '../args/shell-word.ts';
import { addChangeOptions, type ChangeOptions, resolveOperationId } from '../changes/change-options.ts';
import type { Context } from '../context.ts';
import { action, examples } from '../define-command.ts';
import { explaining } from '../error-conversion/error-hints.ts';
import { invalidInputError, usageError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { readText } from '../input/read-input.ts';
import { createImportCheckpoint, type ImportMode } from '../keywords/import-checkpoint.ts';
import { withImportLock } from '../keywords/import-lock.ts';
import type { Destination } from '../keywords/import-record.ts';
import { createImportReport } from '../keywords/import-report.ts';
import { openImportStore } from '../keywords/import-store.ts';
import { findInputKind, type InputKind, inputKinds, requirePlainList } from '../keywords/input-kind.ts';
import {
  type FoundKeyword,
  hasGroups,
  type KeywordList,
  readKeywords,
  toKeywordList,
} from '../keywords/read-keywords.ts';
import { checkSiteId, planImport, runImport } from '../keywords/run-import.ts';

export function configure(command: Command): void {
  add(command);
  importMany(command);
  examples(
    command,
    ['orgchat keywords add demo-site summer sale'],
    ['orgchat keywords import demo-site words.txt', 'thousands, 50 per request'],
  );
}

interface AddOptions {
  readonly group?: string;
  readonly dryRun?: true;
}

/** How a list of keywords was given, for what is said of it. */
interface Source {
  /** What an item of the list is called. */
  readonly unit: 'Line' | 'Keyword';
  /** What to do about a keyword that is not valid. */
  readonly hint: string;
}

const inFile: Source = {
  unit: 'Line',
  hint: 'Fix the list, or skip invalid keywords with --skip-invalid.',
};
const inArguments: Source = { unit: 'Keyword', hint: 'Shorten or remove the keyword.' };
const onStdin: Source = {
  unit: 'Line',
  hint: 'Fix the list, or skip invalid keywords: orgchat keywords import SITE - --skip-invalid',
};

function requireValidList(
  found: readonly FoundKeyword[],
  skipInvalid: boolean,
  { unit, hint }: Source,
): KeywordList {
  const list = toKeywordList(found);
  const [first] = list.invalid;
  if (first !== undefined && !skipInvalid) {
    const more = list.invalid.length > 1 ? `, and ${list.invalid.length - 1} more` : '';
    const problem = `${unit} ${first.line} is ${first.reason}${more}. Nothing was sent.`;
    throw invalidInputError(problem, hint, { invalid: list.invalid });
  }
  if (list.keywords.length === 0)
    throw invalidInputError('No keywords found in the input.', 'Pass at least one keyword, one per line.');
  return list;
}

function add(command: Command): void {
  const adding = command
    .command('add')
    .description(`add keywords to a site, up to ${limits.keywordsPerRequest} per request`)
    .argument('<site>', 'site id')
    .argument('<keyword...>', 'keywords, or - to read standard input, one per line')
    .option('--group <group>', 'keyword group');
  addChangeOptions(adding);
  action<AddOptions & ChangeOptions>(adding, async (context, options, site, ...typed) => {
    const { dryRun } = options;
    const group = options.group?.trim();
    const words = typed.length === 1 && typed[0] === '-' ? await readStandardInput() : undefined;
    const list =
      words === undefined
        ? requireValidList(
            typed.map((keyword, index) => ({ keyword, line: index + 1 })),
            false,
            inArguments,
          )
        : requireValidList(words, false, onStdin);
    const resendKeywords = describeResend(site, 'FILE', group === undefined ? {} : { group });
    const { target } = await context.connect();
    const destination = { baseUrl: target.baseUrl, site, group };
    if (dryRun) return preview(context, destination, list.keywords);
    const operationId = await resolveOperationId(options);
    if (operationId !== undefined && list.keywords.length > limits.keywordsPerRequest) {
      throw usageError(
        `One operation can add at most ${limits.keywordsPerRequest} keywords, got ${list.keywords.length}.`,
        'Remove --operation-id and --intent, or use keywords import, which records what it sends.',
      );
    }
    const { keywords } = list;
    if (keywords.length <= limits.keywordsPerRequest) {
      const added = await explaining({ notFound: checkSiteId(site), resendKeywords }, () =>
        addToSite(context, destination, keywords, operationId),
      );
      await context.output.one(added);
      return;
    }
    // Unlike an import, this also sends keywords with an unknown outcome.
    const run = await runImport(context, destination, keywords, { retryUnknown: true, resendKeywords });
    const importReport = await createImportReport(context, destination, list, run);
    if (run.failure !== undefined && !importReport.anyAccepted) throw run.failure;
    context.exitCode = importReport.exit;
    const { added, skipped } = importReport.document;
    await context.output.one(
      importReport.exit === exitCodes.done ? { added, skipped } : importReport.document,
    );
    for (const line of importReport.advice) context.output.warn(line);
  });
  examples(
    adding,
    ['orgchat keywords add demo-site summer sale --group season'],
    ['cat words.txt | orgchat keywords add demo-site -'],
  );
}

async function readStandardInput(): Promise<FoundKeyword[]> {
  const text = await readText('-');
  requirePlainList(text);
  return readKeywords(text, 'text', undefined);
}

async function addToSite(
  context: Context,
  { site, group }: Destination,
  keywords: readonly string[],
  operationId: string | undefined,
): Promise<AddKeywordsResult> {
  const client = await context.client();
  const input = { keywords: [...keywords], ...(group !== undefined && { group }) };
  const call = {
    operationId,
    timeoutMs: context.bulkTimeoutMs,
    ...endWaitsOnly(context.interrupt.signal),
  };
  return context.interrupt.runToEnd('this request', () => client.keywords.add(site, input, call));
}

async function preview(
  context: Context,
  { site, group }: Destination,
  keywords: readonly string[],
): Promise<void> {
  context.output.note('Nothing was sent (--dry-run).');
  const requests = splitIntoRequests(keywords).map((chunk) => ({ keywords: chunk }));
  await context.output.one({ site, ...(group !== undefined && { group }), requests });
}

interface ImportOptions extends AddOptions, ImportMode {
  readonly input?: InputKind;
  readonly column?: string;
  readonly skipInvalid?: true;
}

/** The command that reads the same list for the same site and group, and resends what has an unknown outcome. */
function describeResend(site: string, file: string, options: ImportOptions): string {
  const { group, input, column, skipInvalid } = options;
  const given = Object.entries({ group, input, column }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  const words = [site, file, ...given].map(toShellWord);
  return `orgchat keywords import ${words.join(' ')}${skipInvalid ? ' --skip-invalid' : ''} --retry-unknown`;
}

const afterwards = 'run this again with --resume to send the rest';

function importMany(command: Command): void {
  const importing = command
    .command('import')
    .description(
      `import many keywords, ${limits.keywordsPerRequest} per request, and report the result of each request`,
    )
    .argument('<site>', 'site id')
    .argument('<file|->', 'text file (one keyword per line), CSV or JSON lines')
    .option('--group <group>', 'keyword group')
    .addOption(new Option('--input <kind>', 'input format (default: from the file name)').choices(inputKinds))
    .option('--column <name|n>', 'CSV column or JSON field with the keyword (default keyword)')
    .option('--skip-invalid', 'skip keywords that are too long or have control characters')
    .option('--resume', 'do not start over, even if the last import finished')
    .option('--retry-unknown', 'resend keywords with an unknown outcome; existing keywords are skipped')
    .option('--restart', 'resend added keywords too; unknown outcomes stay unknown')
    .option('--dry-run', 'print what would be sent, and send nothing');
  action<ImportOptions>(importing, async (context, options, site, file) => {
    const text = await readText(file);
    const kind = findInputKind(file, text, options);
    const found = readKeywords(text, kind, options.column);
    if (options.group === undefined && hasGroups(text, kind, options.column))
      context.output.warn(
        'the groups in the file are not read: an import has one group. Import each group on its own, with --group NAME',
      );
    const list = requireValidList(found, options.skipInvalid === true, inFile);
    const resendKeywords = describeResend(site, file, options);
    const { target, sharedJournal } = await context.connect();
    const { keywords } = list;
    const destination = { baseUrl: target.baseUrl, site, group: options.group?.trim() };
    const store = openImportStore(destination, sharedJournal);
    const retryUnknown = options.retryUnknown === true;
    if (options.dryRun) {
      const checkpoint = createImportCheckpoint(context, store, destination, options, async () => {});
      return preview(
        context,
        destination,
        await planImport(context, destination, keywords, retryUnknown, checkpoint),
      );
    }
    const use = { store, destination, timeoutMs: options.timeout, afterwards };
    const { failure, importReport } = await withImportLock(use, async (write) => {
      const checkpoint = createImportCheckpoint(context, store, destination, options, write);
      const settings = { retryUnknown, resendKeywords, checkpoint };
      const run = await runImport(context, destination, keywords, settings);
      const importReport = await createImportReport(context, destination, list, run);
      await checkpoint.finish(run.result.requests, importReport.exit === exitCodes.done);
      return { failure: run.failure, importReport };
    });
    // If nothing was accepted, it is an error like any other.
    if (failure !== undefined && !importReport.anyAccepted) throw failure;
    context.exitCode = importReport.exit;
    await context.output.one(context.output.isView ? importReport.counts : importReport.document);
    for (const line of importReport.advice) context.output.warn(line);
  });
  examples(
    importing,
    ['orgchat keywords import demo-site words.txt'],
    ['orgchat keywords import demo-site words.csv --column term --group season'],
    ['orgchat keywords import demo-site words.txt --resume', 'only keywords that were not sent before'],
    ['orgchat keywords import demo-site words.txt --retry-unknown', 'after you checked the site'],
  );
}
