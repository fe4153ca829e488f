import { expect, test } from 'vitest';
import { createProgram } from '../program.ts';
import { toCliError } from './to-cli-error.ts';

async function mistake(...args: string[]): Promise<{ message: string; hint: string }> {
  const thrown: unknown = await createProgram({ exitCode: 0 })
    .parseAsync(args, { from: 'user' })
    .catch((error: unknown) => error);
  const { message, hint } = await toCliError(thrown);
  return { message, hint };
}

test.each([
  [[''], 'Unknown command "" for orgchat.'],
  [['tgas'], 'Unknown command "tgas" for orgchat.'],
  [['n c'], 'Unknown command "…" for orgchat.'],
  [['tags', 'n c'], 'Unknown command "…" for orgchat tags.'],
  [['tags', 'list', '-xvalue'], 'Unknown option "-x" for orgchat tags list.'],
  [['tags', 'list', '--limt=5'], 'Unknown option "--limt" for orgchat tags list.'],
])('%j is reported without what could be a secret value: %s', async (args, message) => {
  expect((await mistake(...args)).message).toBe(message);
});

test.each([
  [['tgas'], 'Did you mean tags? See the help: orgchat --help'],
  [['tags', 'list', '--limt=5'], 'Did you mean --limit? See the help: orgchat tags list --help'],
  [['tags', 'list', '--jsno'], 'Did you mean --json? See the help: orgchat tags list --help'],
  [['login'], 'Did you mean orgchat auth login? See the help: orgchat --help'],
  [['config', 'pull'], 'Did you mean orgchat config export? See the help: orgchat config --help'],
  [['mock', 'status'], 'Did you mean orgchat mock wait? See the help: orgchat mock --help'],
  [['version'], 'Did you mean orgchat --version? See the help: orgchat --help'],
  [['get', 'tags'], 'The resource comes first, as in: orgchat tags get. See the help: orgchat --help'],
  [['tags', 'rm', 'VIP'], 'Did you mean orgchat tags delete? See the help: orgchat tags --help'],
  [['links', 'describe'], 'Did you mean orgchat links get? See the help: orgchat links --help'],
  [['forms', 'add'], 'Did you mean orgchat forms create? See the help: orgchat forms --help'],
  [['friends', 'edit'], 'Did you mean orgchat friends update? See the help: orgchat friends --help'],
  [['ops', 'rm'], 'Did you mean orgchat ops forget? See the help: orgchat ops --help'],
  [['outbox', 'rm'], 'Did you mean orgchat outbox remove? See the help: orgchat outbox --help'],
  // A group that has no such command suggests none.
  [['conversations', 'rm'], 'See the help: orgchat conversations --help'],
  [
    ['keywords', 'list'],
    'The API cannot list or remove keywords; see those of the site in the app. What was sent from here: orgchat ops list. See the help: orgchat keywords --help',
  ],
  [['tags', 'list', '-o', 'json'], 'Did you mean --format? See the help: orgchat tags list --help'],
  [['tags', 'list', '--output=json'], 'Did you mean --format? See the help: orgchat tags list --help'],
  [['tags', 'list', '--query', 'x'], 'Did you mean --fields? See the help: orgchat tags list --help'],
  [
    ['config', 'apply', '-f', 'x.yaml'],
    'The file is an argument: orgchat config apply FILE. See the help: orgchat config apply --help',
  ],
  [['tags', 'create', '-f', 'x'], 'Did you mean --data? See the help: orgchat tags create --help'],
  [['tags', 'delete', 'x', '--force'], 'Did you mean --yes? See the help: orgchat tags delete --help'],
  [['explain', 'tags'], 'Did you mean orgchat schema? See the help: orgchat --help'],
  [['schema', 'tgas'], 'Did you mean tags? See the help: orgchat schema --help'],
  [['schema', 'create-tag'], 'Did you mean create-tags? See the help: orgchat schema --help'],
  [['schema', 'messages'], 'See the help: orgchat schema --help'],
  [['tags', 'create', '--color', 'pinc'], 'Did you mean pink? See the help: orgchat tags create --help'],
  // A command that has no such option suggests none.
  [['account', '--per-page', '5'], 'See the help: orgchat account --help'],
  [['tags', 'list', '--entirely-different'], 'See the help: orgchat tags list --help'],
])('%j is answered by a word that is like it, or that means the same: %s', async (args, hint) => {
  expect((await mistake(...args)).hint).toBe(hint);
});

test.each([
  [['tags', 'get'], 'Missing argument <id> for orgchat tags get.'],
  [['tags', 'list', '--limit'], 'Option --limit requires a value.'],
  [['tags', 'list', '--search', '-y'], 'Option --search requires a value, but -y is an option.'],
  [['mock', 'exec', '--log', '--', 'pytest'], 'Option --log requires a value.'],
  [['tags', 'list', '-yq'], 'Option -y takes no value.'],
  [
    ['tags', '--profile', 'a', 'list', '--profile=b'],
    'Option --profile takes one value, but it was given twice.',
  ],
  [['account', 'a', 'b'], 'Too many arguments for orgchat account: expected 0, got 2.'],
  [
    ['tags', 'list', '--limit', 'x'],
    'Invalid value "x" for --limit <n>. It must be a whole number, 1 or more.',
  ],
  [
    ['--format', 'xml', 'account'],
    'Invalid value "xml" for --format <format>. Allowed choices are table, json, ndjson, yaml, value.',
  ],
  [['completion', 'tcsh'], 'Invalid value "tcsh" for shell. Allowed choices are bash, zsh, fish.'],
  [['tags'], 'Missing subcommand.'],
])('%j: %s', async (args, message) => {
  expect((await mistake(...args)).message).toBe(message);
});
