import { exitCodeMeanings, exitCodes } from '../../../packages/cli/src/errors/exit-codes.ts';

import type { createProgram } from '../../../packages/cli/src/program.ts';

export type Command = ReturnType<typeof createProgram>;

type ExitName = keyof typeof exitCodes;

/** Exit codes that any command may have. */
export const generalExits = [
  ...(['done', 'failed', 'usage', 'denied', 'notFound', 'limited'] as const),
  ...(['hungUp', 'interrupted', 'terminated'] as const),
] satisfies readonly ExitName[];

/** Exit codes of a command that its options and operands do not show, by its words. */
export const ownExits: Readonly<Record<string, readonly Exclude<ExitName, (typeof generalExits)[number]>[]>> =
  {
    'config apply': ['conflict', 'unknown', 'declined'],
    'config export': ['conflict'],
    'contract check': ['conflict', 'unknown', 'declined'],
    'contract clean': ['conflict', 'unknown', 'declined'],
    'friends tag': ['unknown'],
    'keywords add': ['unknown'],
    'keywords import': ['conflict', 'unknown'],
    'mock drill': ['conflict', 'mockNotStarted', 'mockNotRun', 'mockNotFound'],
    'mock exec': ['mockNotStarted', 'mockNotRun', 'mockNotFound'],
    'mock requests verify': ['conflict'],
    'mock rewind': ['conflict'],
    'ops adopt': ['unknown'],
    'ops forget': ['conflict', 'unknown', 'declined'],
    'ops resume': ['unknown'],
    'outbox remove': ['declined'],
    'watch clicks': ['conflict'],
    'watch messages': ['conflict'],
    'watch submissions': ['conflict'],
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

/** The exit codes that a script tells apart, the general ones of every command left out. */
export function listExits(command: Command, words: string): readonly (readonly [number, string])[] {
  const names = new Set<ExitName>(ownExits[words]);
  const has = (flag: string): boolean => command.options.some(({ long }) => long === flag);
  if (has('--exit-code')) names.add('differences');
  // Whatever takes an intent is a write. A deletion asks first.
  if (has('--intent')) names.add('conflict').add('unknown');
  if (has('--intent') && command.name() === 'delete') names.add('declined');
  const codes = new Set<number>(Array.from(names, (name) => exitCodes[name]));
  return exitCodeMeanings.flatMap(([code, [meaning = '']]) => (codes.has(code) ? [[code, meaning]] : []));
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
  change: ['all changes of the API', '/reference/api/chat-changes#ChatChange'],
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
