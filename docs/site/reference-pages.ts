import { errorCatalog } from '@orgchat/spec';
import { loadCommand } from '../../packages/cli/src/define-command.ts';
import { exitCodeMeanings } from '../../packages/cli/src/errors/exit-codes.ts';
import { createProgram } from '../../packages/cli/src/program.ts';

/* Pages of the reference that are made from the sources. */

export interface GeneratedPage {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

type Command = ReturnType<typeof createProgram>;

const title = (text: string): string => `# ${text}\n`;

const errorCodes = (): GeneratedPage => ({
  path: '/reference/error-codes',
  title: 'Error codes',
  text: [
    title('Error codes'),
    'Every code that the API answers with. What a client does about each is in [Errors of the SDK](/reference/sdk/errors).\n',
    ...Object.entries(errorCatalog).map(([code, { statuses, description, message }]) =>
      [
        `## \`${code}\` {#${code}}\n`,
        `${description}\n`,
        `| status | message |\n|---|---|\n| ${statuses.join(', ')} | ${message.en.replace('{detail}', ' …')} |\n`,
      ].join('\n'),
    ),
  ].join('\n'),
});

const exitCodes = (): GeneratedPage => ({
  path: '/reference/exit-codes',
  title: 'Exit codes',
  text: [
    title('Exit codes'),
    'Every exit code of `orgchat`, so that a script does not have to read output.\n',
    ...exitCodeMeanings.map(
      ([code, meaning]) => `## ${code} {#exit-${code}}\n\n${meaning.map((line) => `- ${line}`).join('\n')}\n`,
    ),
  ].join('\n'),
});

/** The help of a command and of all below it. */
async function listHelp(command: Command, path: readonly string[]): Promise<string[]> {
  await loadCommand(command);
  const own = `## ${path.join(' ')} {#${path.slice(1).join('-')}}\n\n\`\`\`text\n${command.helpInformation().trim()}\n\`\`\`\n`;
  const below: string[] = [];
  for (const child of command.commands) below.push(...(await listHelp(child, [...path, child.name()])));
  return [own, ...below];
}

/** A page for each command of the first level. */
async function commands(): Promise<GeneratedPage[]> {
  const program = createProgram({ exitCode: 0 });
  const pages: GeneratedPage[] = [];
  for (const command of program.commands) {
    const name = command.name();
    const help = await listHelp(command, ['orgchat', name]);
    const text = [title(`orgchat ${name}`), ...help].join('\n');
    pages.push({ path: `/reference/commands/${name}`, title: `orgchat ${name}`, text });
  }
  const list = pages.map(({ path, title: name }) => `- [${name}](${path})`).join('\n');
  const intro = `${title('Commands')}\n\`\`\`text\n${program.helpInformation().trim()}\n\`\`\`\n\n${list}\n`;
  return [{ path: '/reference/commands/', title: 'All commands', text: intro }, ...pages];
}

export const generatePages = async (): Promise<GeneratedPage[]> => [
  errorCodes(),
  exitCodes(),
  ...(await commands()),
];
