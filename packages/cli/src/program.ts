import type { Command } from 'commander';
import { version } from '../package.json';
import { CliCommand } from './args/cli-command.ts';
import { addGlobalOptions } from './args/global-options.ts';
import type { CommandOutcome } from './context.ts';
import { bindOutcome, type Load, lazily } from './define-command.ts';

/** A command without a summary is not listed in the help. */
type Entry = readonly [name: string, summary: string | undefined, load: Load];
interface Group {
  readonly heading: string;
  readonly commands: readonly Entry[];
}

const resource = (name: string, summary: string): Entry => [
  name,
  summary,
  () => import('./commands/resources.ts'),
];

/** The command tree's first level, in the order of help. */
const commandGroups: readonly Group[] = [
  {
    heading: 'Account',
    commands: [
      ['auth', 'log in, log out, show the key in use, switch profiles', () => import('./commands/auth.ts')],
      ['account', 'show organization, plan and usage', () => import('./commands/account.ts')],
      ['doctor', 'check the setup for problems', () => import('./commands/doctor.ts')],
      ['contract', 'compare a server with the contract', () => import('./commands/contract.ts')],
    ],
  },
  {
    heading: 'Messaging configuration',
    commands: [
      resource('tags', 'manage tags'),
      resource('templates', 'manage message templates'),
      resource('auto-replies', 'manage automatic replies to keywords'),
      resource('scenarios', 'manage scenarios (message series)'),
      resource('forms', 'manage forms and list submissions'),
      resource('rich-menus', 'manage the menus shown below the chat'),
      resource('links', 'manage tracked links and list clicks'),
      resource('routes', 'manage acquisition routes'),
      resource('broadcasts', 'manage broadcast drafts (never sent)'),
      [
        'config',
        'export, compare and apply the configuration as a file',
        () => import('./commands/config.ts'),
      ],
    ],
  },
  {
    heading: 'People',
    commands: [
      ['accounts', 'list messaging accounts', () => import('./commands/accounts.ts')],
      ['friends', 'manage friends: notes, tags, scenarios, messages', () => import('./commands/friends.ts')],
      ['conversations', 'list the latest conversations', () => import('./commands/conversations.ts')],
      ['watch', 'print new messages, submissions or clicks', () => import('./commands/watch.ts')],
    ],
  },
  {
    heading: 'Keywords and Studio',
    commands: [
      ['keywords', 'add or import keywords of a site', () => import('./commands/keywords.ts')],
      ['studio', 'read projects and documents', () => import('./commands/studio.ts')],
    ],
  },
  {
    heading: 'Changes, exactly once',
    commands: [
      ['change', 'send one change from a file', () => import('./commands/change.ts')],
      ['ops', 'list, inspect and resume operations', () => import('./commands/ops.ts')],
      ['outbox', 'list, inspect and retry the changes of an outbox', () => import('./commands/outbox.ts')],
    ],
  },
  {
    heading: 'The mock server',
    commands: [['mock', 'run and control a mock of the API', () => import('./commands/mock.ts')]],
  },
  {
    heading: 'Help',
    commands: [
      [
        'schema',
        'print the JSON Schema of data, a change or the configuration file',
        () => import('./commands/schema.ts'),
      ],
      [
        'completion',
        'print a completion script for bash, zsh or fish',
        () => import('./commands/completion.ts'),
      ],
      ['complete', undefined, () => import('./commands/complete.ts')],
      ['help', 'show help for a command or topic', () => import('./commands/help.ts')],
    ],
  },
];

const closing = `
Start here:
  $ orgchat mock start                    run the API on this machine, with demo data
  $ orgchat auth login                    save an API key
  $ orgchat tags list

More: orgchat help COMMAND · orgchat help exit-codes · orgchat help environment · orgchat help server`;

/**
 * Creates the root command with names and summaries only. The definition of a command is loaded when it is called, so
 * that help, version and completion start as fast as Node itself.
 */
export function createProgram(outcome: CommandOutcome): Command {
  const program = new CliCommand('orgchat')
    .description(
      'Manage the messaging configuration, keywords and Studio of an organization, and run a mock server of the API.',
    )
    .usage('COMMAND [options]')
    .version(version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  addGlobalOptions(program);
  program.addHelpText('after', closing);
  // Each command accepts them. Listed in full, they would hide its own options and examples.
  program.addHelpText('afterAll', ({ command }) =>
    command === program ? '' : '\nGlobal options, such as --json and --profile: orgchat --help',
  );
  bindOutcome(program, outcome);

  for (const group of commandGroups) {
    program.commandsGroup(group.heading);
    for (const [name, summary, load] of group.commands) lazily(program, name, summary, load);
  }
  return program;
}
