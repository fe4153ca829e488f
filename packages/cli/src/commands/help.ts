import type { Command } from 'commander';
import { flagVariables } from '../args/flag-variables.ts';
import { examples, loadCommand } from '../define-command.ts';
import { usageError } from '../errors/cli-error.ts';
import { exitCodeMeanings } from '../errors/exit-codes.ts';
import { writeOut } from '../output/streams.ts';

const environment: readonly (readonly [name: string, meaning: string])[] = [
  ['ORGCHAT_API_KEY', 'API key (never accepted on the command line)'],
  ['ORGCHAT_API_KEY_FILE', 'file that contains the API key'],
  ['ORGCHAT_PREVIOUS_API_KEY', 'key that the API key replaces, for "orgchat ops adopt"'],
  ...flagVariables.map(([flag, variable, meaning]) => [variable, `${flag}: ${meaning}`] as const),
  ['ORGCHAT_MODULES', 'directory with the packages of a shared journal, if they are not beside orgchat'],
  ['ORGCHAT_MOCK_URL', 'address of the mock server for "orgchat mock …"'],
  ['ORGCHAT_MOCK_CONTROL_TOKEN', 'control API token of the mock; alias: ORGCHAT_MOCK_TOKEN'],
  ['ORGCHAT_CONFIG_DIR', 'directory for profiles (absolute path)'],
  ['ORGCHAT_STATE_DIR', 'directory for the journal (absolute path)'],
  ['ORGCHAT_COMPLETE_NAMES', 'off: completion does not request names from the API'],
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'proxy settings'],
  ['NODE_EXTRA_CA_CERTS', 'file with additional trusted certificates'],
  ['NO_COLOR', 'if set: no colors'],
  ['FORCE_COLOR, CLICOLOR_FORCE', 'if set and not 0: colors in a pipe too'],
  ['CLICOLOR=0', 'no colors'],
  ['TERM=dumb', 'no colors and no cursor movement'],
  ['COLUMNS', 'width of tables in a pipe'],
];

const table = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
};

/** A code is shown beside the first of its lines. */
const exitCodeRows = exitCodeMeanings.flatMap(([code, lines]) =>
  lines.map((line, index): [string, string] => [index === 0 ? `${code}` : '', line]),
);

async function serverTopic(): Promise<string> {
  const { codeMeanings } = await import('@orgchat/spec');
  const rows = Object.entries(codeMeanings).map(([name, { code, statuses, phrase }]): [string, string] => [
    name,
    `${code} (${statuses.join(', ')}): ${phrase}`,
  ]);
  return `Description of the server

The contract does not show the error codes of a server, nor how it frames records. If yours differs from the
defaults, describe it in a file and pass it with --server FILE or ORGCHAT_SERVER. Nothing is guessed.
orgchat doctor shows what the server answers, and orgchat contract check -o FILE writes the file.

  server: 1                      # the format of the file
  codes:                         # an entry replaces the default code of that meaning
    staleRevision: VERSION_CHANGED
    uncertain: [PENDING, IN_DOUBT]
  shapes:                        # JSON pointers; those of record are into the record as it is sent
    list: { records: /records, total: /total, limited: /limited, order: newest }  # or oldest, unknown
    one: /record
    record: { revision: /revision, label: /label, data: "", rename: { createdAt: /created_at } }
    row: { guards: true, data: true }          # false: rows of lists lack them
    resources: { friends: { one: /friend } }   # what differs for one resource
    result: { create: [id, revision], delete: null }
  limits: { pageSize: 50, perMinute: 60, retryAfter: seconds }
  behavior: { refusedIdIsFree: true, dates: ms }   # for the mock: how the server behaves

Meanings and default codes. A code counts only with the status in parentheses:

${table(rows)}`;
}

const topics: Record<string, () => string | Promise<string>> = {
  'exit-codes': () => `Exit codes\n\n${table(exitCodeRows)}`,
  environment: () => `Environment variables (an empty value counts as unset)\n\n${table(environment)}`,
  server: serverTopic,
};

export const helpTopics = Object.keys(topics);

async function getHelp(root: Command, path: readonly string[]): Promise<string> {
  let found = root;
  for (const name of path) {
    const next = found.commands.find(
      (command) => command.name() === name || command.aliases().includes(name),
    );
    if (next === undefined) {
      throw usageError(
        `Unknown command or topic "${path.join(' ')}".`,
        'List commands and topics: orgchat help',
      );
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
  command.argument('[topic...]', 'command or topic: exit-codes, environment, server');
  command.action(async () => {
    const [first = ''] = command.args;
    const topic = Object.hasOwn(topics, first) ? topics[first] : undefined;
    const root = command.parent ?? command;
    await writeOut(topic === undefined ? await getHelp(root, command.args) : await topic());
  });
  examples(
    command,
    ['orgchat help tags create'],
    ['orgchat help exit-codes'],
    ['orgchat help environment'],
    ['orgchat help server'],
  );
}
