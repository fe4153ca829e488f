import { type Example, getExamples, loadCommand } from '../../../packages/cli/src/define-command.ts';
import { createProgram } from '../../../packages/cli/src/program.ts';
import { tabulateArguments } from './command-arguments.ts';
import { type Command, findQuestion, findWrites, guides, listExits, workflows } from './command-facts.ts';
import { commandOutputs, writtenFiles } from './command-outputs.ts';
import {
  type GeneratedPage,
  joinBlocks,
  toCode,
  toInlineCode,
  toMarkdown,
  toSentence,
  toTable,
} from './page.ts';

const group = 'Commands';

const visibleCommands = (command: Command): readonly Command[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help' || command.parent === null);

const toAnchor = (path: readonly string[]): string => path.slice(1).join('-');

const showExamples = (examples: readonly Example[]): string =>
  examples.length === 0
    ? ''
    : toCode(
        'sh',
        examples.map(([line, what]) => (what === undefined ? line : `# ${what}\n${line}`)).join('\n\n'),
      );

/** A call with what it prints, and the beginning of the file that it writes. */
function showOutput(words: string): string[] {
  const shown = commandOutputs[words];
  const file = writtenFiles[words];
  return [
    ...(shown === undefined ? [] : [toCode('sh', shown.line), toCode('text output', shown.output)]),
    ...(file === undefined ? [] : [toCode(`yaml ${file.name}`, `${file.beginning}# …`)]),
  ];
}

/** The steps of what a group is mostly used for. */
const showWorkflow = (words: string): string =>
  showExamples((workflows[words] ?? []).map(([step, line], index) => [line, `${index + 1}. ${step}.`]));

const showExits = (command: Command, path: readonly string[]): string => {
  const exits = listExits(command, path.slice(1).join(' '));
  if (exits.length === 0) return '';
  const list = exits.map(
    ([code, meaning]) => `[\`${code}\`](/reference/exit-codes#exit-${code}): ${toMarkdown(meaning)}`,
  );
  return list.length === 1 ? `**Exit code** ${list[0]}` : `**Exit codes**\n\n- ${list.join('\n- ')}`;
};

/** Where to read on: what explains the command, and what all commands have. */
function listLinks(name: string): string {
  const guide = guides[name];
  const links = [
    ...(guide === undefined ? [] : [`[${guide[0]}](${guide[1]})`]),
    '[options of every command](/reference/commands/#global-options)',
    '[output and errors](/reference/cli/output)',
    '[exit codes](/reference/exit-codes)',
  ];
  return `Read on: ${links.join(', ')}.`;
}

/** The first part of a description: the whole one is where the command is described. */
const shorten = (text: string): string => text.replaceAll(/ \([^)]*\)/g, '').split(/[;,:]/, 1)[0] ?? '';

/** The examples that begin with some words. */
const findExamples = (examples: readonly Example[], words: readonly string[]): readonly Example[] =>
  examples.filter(([line]) => `${line} `.startsWith(`${words.join(' ')} `));

/** The commands of a group: what each does, whether it asks, a call of it, and what it writes to. */
function listChildren(
  children: readonly Command[],
  path: readonly string[],
  examples: readonly Example[],
): string {
  const rows = children.map((child) => {
    const call = [...path, child.name()];
    const words = call.slice(1).join(' ');
    const calls = path.slice(1).join(' ') in workflows ? [] : [...examples, ...getExamples(child)];
    const [[line] = ['']] = findExamples(calls, call);
    const question = toMarkdown(findQuestion(child, words));
    const parts = [toSentence(shorten(child.description())), question, line && toInlineCode(line)];
    return [
      `[${toInlineCode(words)}](#${toAnchor(call)})`,
      parts.filter((part) => part !== '').join(' '),
      toMarkdown(findWrites(child, words)),
    ];
  });
  const columns = rows.some(([, , writes]) => writes !== '') ? 3 : 2;
  return toTable(
    ['Command', 'What it does', 'Writes to'].slice(0, columns),
    rows.map((row) => row.slice(0, columns).map((cell) => cell || '–')),
  );
}

/** What a command does, what it writes, and whether it asks first. */
function describeEffect(command: Command, words: string, isGroup: boolean): string {
  const text = toSentence(command.description());
  const writes = isGroup ? '' : findWrites(command, words);
  if (writes === '') return text;
  return [text, `It writes to ${toMarkdown(writes)}.`, toMarkdown(findQuestion(command, words))]
    .filter((part) => part !== '')
    .join(' ');
}

/**
 * A command and all below it, each with its own heading.
 *
 * @param given Examples of the group that show this command.
 * @param shown The examples that the page has: none is repeated.
 */
async function describeCommand(
  command: Command,
  path: readonly string[],
  given: readonly Example[] = [],
  shown = new Set<string>(),
): Promise<string[]> {
  await loadCommand(command);
  const words = path.slice(1).join(' ');
  const children = visibleCommands(command);
  for (const child of children) await loadCommand(child);
  const isGroup = children.length > 0;
  const output = showOutput(words);
  if (output.length > 0) shown.add(commandOutputs[words]?.line ?? '');
  const own = getExamples(command);
  const all = [...given.filter(([line]) => own.every(([other]) => other !== line)), ...own];
  const findOf = (child: Command): readonly Example[] => findExamples(all, [...path, child.name()]);
  const below = children.flatMap(findOf).map(([line]) => line);
  const examples = all.filter(([line]) => !shown.has(line) && !below.includes(line));
  for (const [line] of examples) shown.add(line);
  // A command begins with its first example, which shows what it is for. Those of a group are in its table.
  const atTop = isGroup ? examples.length : output.length === 0 ? 1 : 0;
  const others = examples.slice(atTop);
  const blocks = [
    ...(path.length > 2 ? [`## ${path.join(' ')} {#${toAnchor(path)}}`] : []),
    describeEffect(command, words, isGroup),
    isGroup ? '' : toCode('text signature', `${path.join(' ')} ${command.usage().trim()}`),
    showWorkflow(words),
    ...output,
    showExamples(examples.slice(0, atTop)),
    listChildren(children, path, all),
    tabulateArguments(command),
    showExits(command, path),
    ...(others.length === 0 ? [] : ['More examples:', showExamples(others)]),
    path.length === 2 ? listLinks(command.name()) : '',
  ];
  for (const child of children)
    blocks.push(...(await describeCommand(child, [...path, child.name()], findOf(child), shown)));
  return blocks;
}

/** The page of a command of the first level. */
async function describePage(command: Command): Promise<GeneratedPage> {
  const name = command.name();
  return {
    path: `/reference/commands/${name}`,
    title: name,
    group: `${group}: ${command.helpGroup()}`,
    text: joinBlocks(`# orgchat ${name}`, await describeCommand(command, ['orgchat', name])),
  };
}

function describeProgram(program: Command): GeneratedPage {
  const commands = visibleCommands(program);
  const headings = [...new Set(commands.map((command) => command.helpGroup()))];
  return {
    path: '/reference/commands/',
    title: 'All commands',
    group,
    text: joinBlocks(
      '# Commands',
      toSentence(program.description()),
      toCode(
        'sh',
        'orgchat mock start --detach     # the API on this machine, with demo data\norgchat auth login              # saves an API key\norgchat tags list',
      ),
      'Every command has `--help`. [Output](/reference/cli/output) and [exit codes](/reference/exit-codes) are the same for all of them.',
      headings.flatMap((heading) => [
        `## ${heading}`,
        toTable(
          ['Command', 'What it does'],
          commands
            .filter((command) => command.helpGroup() === heading)
            .map((command) => [
              `[\`orgchat ${command.name()}\`](/reference/commands/${command.name()})`,
              toSentence(command.description()),
            ]),
        ),
      ]),
      '## Global options',
      'Each command accepts them, before or after its name.',
      tabulateArguments(program),
    ),
  };
}

/** A page for each command of the first level, and one that lists them. */
export async function generateCommandPages(): Promise<GeneratedPage[]> {
  const program = createProgram({ exitCode: 0 });
  const pages: GeneratedPage[] = [describeProgram(program)];
  for (const command of visibleCommands(program)) pages.push(await describePage(command));
  return pages;
}
