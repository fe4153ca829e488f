import { type Example, getExamples, loadCommand } from '../../../packages/cli/src/define-command.ts';
import { createProgram } from '../../../packages/cli/src/program.ts';
import { type Command, guides, listExits } from './command-facts.ts';
import { commandOutputs } from './command-outputs.ts';
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

/** Options, or operands, each with what it does. */
function listOptions(command: Command): readonly (readonly string[])[] {
  const help = command.createHelp();
  return help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((option) => [toInlineCode(option.flags), toSentence(help.optionDescription(option))]);
}

function listOperands(command: Command): readonly (readonly string[])[] {
  const help = command.createHelp();
  return help
    .visibleArguments(command)
    .map((argument) => [
      toInlineCode(help.argumentTerm(argument)),
      toSentence(help.argumentDescription(argument)),
    ]);
}

const showExamples = (examples: readonly Example[]): string =>
  examples.length === 0
    ? ''
    : toCode(
        'sh',
        examples.map(([line, what]) => (what === undefined ? line : `# ${what}\n${line}`)).join('\n\n'),
      );

/** A call with what it prints. */
function showOutput(words: string): string[] {
  const shown = commandOutputs[words];
  return shown === undefined ? [] : [toCode('sh', shown.line), toCode('text output', shown.output)];
}

const showExits = (command: Command, path: readonly string[]): string => {
  const exits = listExits(command, path.slice(1).join(' '));
  if (exits.length === 0) return '';
  const list = exits.map(
    ([code, meaning]) => `[\`${code}\`](/reference/exit-codes#exit-${code}): ${toMarkdown(meaning)}`,
  );
  return list.length === 1 ? `Exit code ${list[0]}` : `Exit codes:\n\n- ${list.join('\n- ')}`;
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

/**
 * A command and all below it, each with its own heading.
 *
 * @param shown The examples that the page has: none is repeated.
 */
async function describeCommand(
  command: Command,
  path: readonly string[],
  shown = new Set<string>(),
): Promise<string[]> {
  await loadCommand(command);
  const words = path.slice(1).join(' ');
  const output = showOutput(words);
  if (output.length > 0) shown.add(commandOutputs[words]?.line ?? '');
  const all = getExamples(command);
  const examples = all.filter(([line]) => !shown.has(line));
  for (const [line] of examples) shown.add(line);
  const children = visibleCommands(command);
  const usage = `${path.join(' ')} ${command.usage().trim()}`;
  // Those of a group are one flow. A command begins with its first one, which shows what it is for.
  const isFlow = children.length > 0;
  const atTop = isFlow ? examples.length : examples[0] === all[0] && output.length === 0 ? 1 : 0;
  const others = examples.slice(atTop);
  const blocks = [
    ...(path.length > 2 ? [`## ${path.join(' ')} {#${toAnchor(path)}}`] : []),
    children.length > 0 ? '' : `\`${usage}\``,
    toSentence(command.description()),
    ...output,
    showExamples(examples.slice(0, atTop)),
    path.length === 2 ? listLinks(command.name()) : '',
    toTable(
      ['Command', 'What it does'],
      children.map((child) => [
        `[${toInlineCode(`${path.slice(1).join(' ')} ${child.name()}`)}](#${toAnchor([...path, child.name()])})`,
        // The whole sentence is below.
        toSentence(child.description().split(/[;,:]/, 1)[0] ?? ''),
      ]),
    ),
    toTable(['Operand', 'Meaning'], listOperands(command)),
    toTable(['Option', 'What it does'], listOptions(command)),
    ...(others.length === 0
      ? []
      : [atTop > 0 || output.length > 0 ? 'More examples:' : 'Examples:', showExamples(others)]),
    showExits(command, path),
  ];
  for (const child of children)
    blocks.push(...(await describeCommand(child, [...path, child.name()], shown)));
  return blocks;
}

/** The page of a command of the first level. */
async function describePage(command: Command): Promise<GeneratedPage> {
  const name = command.name();
  return {
    path: `/reference/commands/${name}`,
    title: name,
    group,
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
      toTable(['Option', 'What it does'], listOptions(program)),
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
