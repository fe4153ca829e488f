import type { Load } from './lazy.ts';

/** Without a summary it is not listed. */
type Entry = readonly [name: string, summary: string, load: Load];
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
export const groups: readonly Group[] = [
  {
    heading: 'Account',
    commands: [
      ['auth', 'log in, see who you are, log out', () => import('./commands/auth.ts')],
      ['account', 'the organization, plan and use behind the key', () => import('./commands/account.ts')],
      ['doctor', 'look for what could be wrong with the setup', () => import('./commands/doctor.ts')],
    ],
  },
  {
    heading: 'Messaging configuration',
    commands: [
      resource('tags', 'tags for friends'),
      resource('templates', 'texts kept for reuse'),
      resource('auto-replies', 'replies to a keyword'),
      resource('scenarios', 'series of messages'),
      resource('forms', 'forms friends fill in, and their submissions'),
      resource('rich-menus', 'menus below the chat'),
      resource('links', 'tracked links, and their clicks'),
      resource('routes', 'ways by which friends are added'),
      resource('broadcasts', 'broadcast drafts; nothing is ever sent'),
      ['config', 'the configuration as a file: export, compare, apply', () => import('./commands/config.ts')],
    ],
  },
  {
    heading: 'People',
    commands: [
      ['accounts', 'the messaging accounts the key can reach', () => import('./commands/accounts.ts')],
      [
        'friends',
        'friends: their notes, tags, scenarios and messages',
        () => import('./commands/friends.ts'),
      ],
      ['conversations', 'the latest conversations', () => import('./commands/conversations.ts')],
    ],
  },
  {
    heading: 'Keywords and Studio',
    commands: [
      ['keywords', "a site's keywords: add some, import many", () => import('./commands/keywords.ts')],
      ['studio', 'projects and documents', () => import('./commands/studio.ts')],
    ],
  },
  {
    heading: 'Changes, exactly once',
    commands: [
      ['change', 'send one change as it is written in a file', () => import('./commands/change.ts')],
      ['ops', 'the journal of changes: what became of each', () => import('./commands/ops.ts')],
    ],
  },
  {
    heading: 'The mock server',
    commands: [['mock', 'run and steer a mock of the API', () => import('./commands/mock.ts')]],
  },
  {
    heading: 'Help',
    commands: [
      ['completion', 'completion for bash, zsh or fish', () => import('./commands/completion.ts')],
      ['complete', '', () => import('./commands/complete.ts')],
      ['help', 'help on a command, exit-codes, environment or codes', () => import('./commands/help.ts')],
    ],
  },
];
