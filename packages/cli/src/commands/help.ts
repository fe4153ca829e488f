import type { Command } from 'commander';
import { examples } from '../action.ts';
import { exitCodeMeanings } from '../exit-codes.ts';
import { usage } from '../failure.ts';
import { loadCommand } from '../lazy.ts';
import { writeOut } from '../streams.ts';

const environment: readonly (readonly [name: string, meaning: string])[] = [
  ['ORGCHAT_API_KEY', 'the key; it is never taken from the command line'],
  ['ORGCHAT_API_KEY_FILE', 'a file with the key in it'],
  ['ORGCHAT_BASE_URL', 'the API, up to and with its version: https://…/api/v1'],
  ['ORGCHAT_PROFILE', 'the stored profile to use where neither of these says otherwise'],
  ['ORGCHAT_CODES', 'a file with the error codes of the server: orgchat help codes'],
  ['ORGCHAT_MOCK_URL', 'the mock server that "orgchat mock …" steers'],
  ['ORGCHAT_MOCK_CONTROL_TOKEN', 'token of its control API, for "mock start" too; also ORGCHAT_MOCK_TOKEN'],
  ['ORGCHAT_CONFIG_DIR', 'directory of the profiles, an absolute path'],
  ['ORGCHAT_STATE_DIR', 'directory of the journal of changes, an absolute path'],
  ['ORGCHAT_COMPLETE_NAMES', 'off: completion asks the API for no names'],
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'the way out of a network'],
  ['NODE_EXTRA_CA_CERTS', 'a file of certificates to trust besides the known ones'],
  ['NO_COLOR', 'set: no colors, whatever else is set'],
  ['FORCE_COLOR, CLICOLOR_FORCE', 'set, and not 0: colors in a pipe too'],
  ['CLICOLOR=0', 'no colors'],
  ['TERM=dumb', 'no colors, and no codes that move the cursor'],
  ['COLUMNS', 'width of tables in a pipe'],
];

const table = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
};

async function codesTopic(): Promise<string> {
  const { codeMeanings } = await import('@orgchat/spec');
  const rows = Object.entries(codeMeanings).map(([name, { code, statuses, phrase }]): [string, string] => [
    name,
    `${code} (${statuses.join(', ')}): ${phrase}`,
  ]);
  return `Error codes of the server

A server may use other codes than these. Write a file that maps what they mean, and name it with --codes FILE or
ORGCHAT_CODES. What is given replaces the default code of that meaning; a code counts only with the status in
parentheses.

  codes:
    staleRevision: VERSION_CHANGED
    uncertain: [PENDING, IN_DOUBT]

Meanings and default codes:

${table(rows)}`;
}

const topics: Record<string, () => string | Promise<string>> = {
  'exit-codes': () => `Exit codes\n\n${table(exitCodeMeanings)}`,
  environment: () => `Environment variables (an empty one counts as unset)\n\n${table(environment)}`,
  codes: codesTopic,
};

export const helpTopics = Object.keys(topics);

async function helpOf(root: Command, path: readonly string[]): Promise<string> {
  let found = root;
  for (const name of path) {
    const next = found.commands.find(
      (command) => command.name() === name || command.aliases().includes(name),
    );
    if (next === undefined) {
      throw usage(`There is no command "${path.join(' ')}".`, 'The commands and topics: orgchat help');
    }
    await loadCommand(next);
    found = next;
  }
  return captureHelp(found);
}

/** Help with what was added after it; commander only writes that, it does not return it. */
function captureHelp(command: Command): string {
  const parts: string[] = [];
  command.configureOutput({ writeOut: (part) => void parts.push(part) });
  command.outputHelp();
  return parts.join('');
}

export function configure(command: Command): void {
  command.argument('[command...]', 'a command, or exit-codes, environment or codes');
  command.action(async () => {
    const [first = ''] = command.args;
    const topic = Object.hasOwn(topics, first) ? topics[first] : undefined;
    const root = command.parent ?? command;
    await writeOut(topic === undefined ? await helpOf(root, command.args) : await topic());
  });
  examples(
    command,
    ['orgchat help tags create'],
    ['orgchat help exit-codes'],
    ['orgchat help environment'],
    ['orgchat help codes'],
  );
}
