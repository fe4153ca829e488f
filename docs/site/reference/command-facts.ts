import { exitCodes } from '../../../packages/cli/src/errors/exit-codes.ts';

import type { createProgram } from '../../../packages/cli/src/program.ts';

export type Command = ReturnType<typeof createProgram>;

type ExitName = keyof typeof exitCodes;

/** Exit codes that any command may have. */
export const generalExits = [
  ...(['done', 'failed', 'usage', 'denied', 'notFound', 'limited'] as const),
  ...(['hungUp', 'interrupted', 'terminated'] as const),
] satisfies readonly ExitName[];

type Exits = Readonly<Partial<Record<Exclude<ExitName, (typeof generalExits)[number]>, string>>>;

const declined = 'You answered no when it asked.';
const checkInProgress = 'Another check of this server is in progress.';
const cursorInUse = 'Another `watch` uses the same cursor. Use a different name with `--cursor`.';
const mockNotRun = 'The command was found, but could not be run.';
const mockNotFound = 'The command was not found.';

/** Exit codes of a command that its options do not show, or that mean more than in others, by its words. */
export const ownExits: Readonly<Record<string, Exits>> = {
  'config apply': {
    conflict:
      'A record was changed after the plan was made, the file and the organization both changed it, or another apply is in progress.',
    unknown:
      'Some steps were not applied, or it is not known whether they were. Run the same command again to continue.',
    declined,
  },
  'config export': {
    conflict:
      'The file has edits that the export would overwrite, so the file was not changed. `--force` overwrites them.',
  },
  'contract check': {
    differences: 'The server differs from the file of `--against`, and you passed `--exit-code`.',
    conflict: checkInProgress,
    unknown: 'The check ended early, or it left records behind. `orgchat contract clean` removes them.',
    declined,
  },
  'contract clean': {
    conflict: checkInProgress,
    unknown: 'Some records could not be removed. The output lists them.',
    declined,
  },
  'friends tag': {
    unknown:
      'Only some of the friends were changed, or it is not known whether one was. The output lists each friend.',
  },
  'keywords add': {
    unknown: 'It is not known whether the keywords were added. Check the site before you add them again.',
  },
  'keywords import': {
    conflict: 'Another import to this site is running. Nothing was sent.',
    unknown: 'Some keywords were not added, or it is not known whether they were. The output lists them.',
  },
  'mock drill': {
    conflict: 'Your program lost a write or made it twice.',
    mockNotStarted: 'The mock server could not be started.',
    mockNotRun,
    mockNotFound,
  },
  'mock exec': {
    mockNotStarted: 'The mock server could not be started, or an argument is not valid.',
    mockNotRun,
    mockNotFound,
  },
  'mock fault add': {
    conflict: 'The mock already has the maximum number of faults. `orgchat mock fault clear` removes them.',
  },
  'mock requests verify': { conflict: 'The mock received other requests than you expect.' },
  'mock rewind': {
    conflict: 'The mock did not keep the state before this request, or the request changed nothing.',
  },
  'mock sandbox create': {
    conflict:
      'The mock already has the maximum number of sandboxes. `orgchat mock sandbox drop` removes one.',
  },
  'mock state save': { conflict: 'The state is larger than `mock state load` accepts. Nothing was saved.' },
  'ops adopt': {
    unknown:
      'Another process is working on some of the operations, so they were left. Run the command again when it has ended.',
  },
  'ops forget': {
    conflict: 'Another process is working on the operation.',
    unknown: 'Another process took over while the operation was being removed.',
    declined,
  },
  'ops resume': { unknown: 'The outcome of an operation is still unknown.' },
  'outbox remove': { declined },
  'watch clicks': { conflict: cursorInUse },
  'watch messages': { conflict: cursorInUse },
  'watch submissions': { conflict: cursorInUse },
};

/** What a command writes to besides its output, by its words. What takes an intent writes to the organization. */
export const ownWrites: Readonly<Record<string, string>> = {
  'auth login': 'your settings',
  'auth logout': 'your settings',
  'auth switch': 'your settings',
  'config apply': 'the organization',
  'config export': 'a file (`-o`)',
  'config plan': 'a file (`-o`)',
  'contract check': 'a file (`-o`); with `--write`, the organization',
  'contract clean': 'the organization',
  'keywords import': 'the organization',
  'mock clock': 'the mock',
  'mock fault add': 'the mock',
  'mock fault clear': 'the mock',
  'mock inject': 'the mock',
  'mock limits': 'the mock',
  'mock requests clear': 'the mock',
  'mock reset': 'the mock',
  'mock rewind': 'the mock',
  'mock sandbox create': 'the mock',
  'mock sandbox drop': 'the mock',
  'mock seed': 'a file (`-o`)',
  'mock state load': 'the mock',
  'mock state save': 'the named file',
  'ops adopt': 'the journal',
  'ops forget': 'the journal',
  'ops migrate': 'the database of the journal',
  'ops resume': 'the organization',
  'outbox remove': 'the outbox',
  'outbox retry': 'the outbox',
  // The API refuses it.
  'rich-menus delete': '',
};

/** When a command asks that does not always do so before it writes. */
const ownQuestions: Readonly<Record<string, string>> = {
  'config apply': 'It asks before it writes, unless you give it a saved plan.',
  'contract check': 'With `--write`, it asks before it writes.',
  'ops forget': 'It asks before it writes if the outcome is unknown.',
};

/** What the exit codes of a change mean. Only some changes depend on what the record was. */
const changeExits = (readsFirst: boolean): Exits => ({
  conflict: `${readsFirst ? 'Someone else changed the record, or the' : 'The'} operation id belongs to another change, or another process is sending this one.`,
  unknown:
    'No answer arrived, so the change may or may not be applied. `orgchat ops resume` finishes it without applying it twice.',
});

/** The exit codes that a script tells apart and what each means here, the general ones of every command left out. */
export function listExits(command: Command, words: string): readonly (readonly [number, string])[] {
  const has = (flag: string): boolean => command.options.some(({ long }) => long === flag);
  // Whatever takes an intent is a write. A deletion asks first.
  const isChange = has('--intent');
  const exits: Exits = {
    ...(has('--exit-code') && { differences: 'There are differences, and you passed `--exit-code`.' }),
    ...(isChange && changeExits(has('--expect-revision') || command.name() === 'change')),
    ...(isChange && command.name() === 'delete' && { declined }),
    ...ownExits[words],
  };
  return Object.entries(exits)
    .map(([name, meaning]) => [exitCodes[name as keyof Exits], meaning] as const)
    .sort(([one], [other]) => one - other);
}

/** What a command writes to. Empty if it only reads. A group writes to what its commands write to. */
export function findWrites(command: Command, words: string): string {
  const isChange = command.options.some(({ long }) => long === '--intent');
  const target = ownWrites[words] ?? (isChange ? 'the organization' : '');
  if (target !== '') return target;
  const below = command.commands.map((child) => findWrites(child, `${words} ${child.name()}`));
  return [...new Set(below.filter((writes) => writes !== ''))].join('; ');
}

/** Whether a command asks before it writes, as a sentence. Empty if it never asks. */
export function findQuestion(command: Command, words: string): string {
  const asks = listExits(command, words).some(([code]) => code === exitCodes.declined);
  return asks ? (ownQuestions[words] ?? 'It asks before it writes.') : '';
}

const toFields = (singular: string, schema: string): readonly [title: string, path: string] => [
  `fields of ${singular}`,
  `/reference/api/chat-changes#${schema}`,
];

/** The page that explains a command of the first level: its title and its address. */
export const guides: Readonly<Record<string, readonly [title: string, path: string]>> = {
  auth: ['keys and profiles', '/reference/cli/settings#keys-and-profiles'],
  'auto-replies': toFields('an auto-reply', 'AutoReplyData'),
  broadcasts: toFields('a broadcast', 'BroadcastData'),
  change: ['all changes of the API', '/reference/api/chat-changes'],
  completion: ['shell completion', '/reference/cli/settings#shell-completion'],
  config: ['configuration files', '/how-to/cli/config'],
  contract: ['check a server', '/how-to/cli/contract-check'],
  forms: toFields('a form', 'FormDefinitionData'),
  keywords: ['keywords', '/how-to/cli/operations#keywords'],
  links: toFields('a link', 'LinkData'),
  mock: ['mock server', '/how-to/cli/mock'],
  ops: ['operations', '/how-to/cli/operations#operations'],
  outbox: ['shared journal', '/how-to/cli/operations#shared-journal'],
  'rich-menus': toFields('a rich menu', 'RichMenuData'),
  routes: toFields('a route', 'RouteData'),
  scenarios: toFields('a scenario', 'ScenarioData'),
  schema: ['schemas', '/reference/cli/settings#schemas'],
  tags: toFields('a tag', 'TagData'),
  templates: toFields('a template', 'TemplateData'),
  watch: ['watch', '/how-to/cli/watch'],
};

/** The steps of what a group is mostly used for: what each does, and its line. */
export const workflows: Readonly<Record<string, readonly (readonly [step: string, line: string])[]>> = {
  config: [
    ['Write the configuration to a file', 'orgchat config export -o orgchat.yaml'],
    ['Edit the file', '$EDITOR orgchat.yaml'],
    ['Make a plan, and review it', 'orgchat config plan orgchat.yaml -o plan.json'],
    ['Apply the plan', 'orgchat config apply plan.json'],
  ],
};
