/*
 * What other tools call commands and options, and what they are called here. Each answer is a sentence for people.
 */

type Names = Readonly<Record<string, string>>;

/** Returns the meaning for each of several words. */
const mean = (meaning: string, words: string): Names =>
  Object.fromEntries(words.split(' ').map((word) => [word, meaning]));

/** What other tools call the subcommands of a group. */
const subcommands: Names = {
  ...mean('create', 'add new insert'),
  ...mean('delete', 'del destroy remove rm'),
  ...mean('get', 'cat describe info inspect read show view'),
  ...mean('list', 'all index search'),
  ...mean('update', 'change edit modify patch set'),
};

/** Groups whose subcommands are called otherwise in a way of their own. */
const groupSubcommands: Readonly<Record<string, Names>> = {
  'orgchat auth': {
    ...mean('status', 'show whoami'),
    ...mean('login', 'add configure init'),
    ...mean('list', 'ls profiles'),
    ...mean('switch', 'activate select use'),
  },
  'orgchat config': {
    ...mean('export', 'download dump get pull show'),
    ...mean('apply', 'deploy push sync up'),
    ...mean('diff', 'compare preview'),
    ...mean('validate', 'check lint'),
  },
  'orgchat mock': {
    ...mean('stop', 'down kill'),
    ...mean('exec', 'run'),
    ...mean('start', 'serve up'),
    ...mean('wait', 'health ping ps status'),
    ...mean('requests', 'log logs'),
  },
  'orgchat ops': {
    ...mean('show', 'describe get inspect view'),
    ...mean('forget', 'delete remove rm'),
    ...mean('resume', 'continue redo retry'),
  },
  'orgchat outbox': { ...mean('show', 'describe get inspect view'), ...mean('remove', 'delete rm') },
};

/** Commands at the top that have another name, or are in a group. */
const topCommands: Names = {
  ...mean('orgchat config apply', 'apply deploy sync'),
  ...mean('orgchat config diff', 'diff'),
  ...mean('orgchat config export', 'export pull'),
  ...mean('orgchat keywords import', 'import'),
  ...mean('orgchat auth login', 'configure init login'),
  ...mean('orgchat auth logout', 'logout'),
  ...mean('orgchat auth status', 'whoami'),
  ...mean('orgchat config plan', 'plan'),
  ...mean('orgchat schema', 'explain jsonschema schemas spec'),
  ...mean('orgchat config validate', 'lint validate'),
  ...mean('orgchat mock start', 'serve start up'),
  ...mean('orgchat mock stop', 'down stop'),
  ...mean('orgchat mock exec', 'run'),
  ...mean('orgchat doctor', 'check ping status'),
  ...mean('orgchat account', 'limits me quota usage'),
  ...mean('orgchat ops list', 'history log'),
  ...mean('orgchat ops resume', 'resume retry'),
  ...mean('orgchat --version', 'version'),
};

/** Commands that no API call stands behind, with the way that is left. */
const impossible: Readonly<Record<string, Names>> = {
  'orgchat keywords': mean(
    'The API cannot list or remove keywords; see those of the site in the app. What was sent from here: orgchat ops list.',
    'delete get list ls remove rm show',
  ),
  'orgchat broadcasts': mean('Broadcasts stay drafts: send them in the app.', 'publish schedule send'),
  'orgchat rich-menus': mean('Rich menus are published in the app.', 'publish'),
};

/** Tools that name the action before the resource. */
const verbs: Names = {
  ...mean('create', 'add create new'),
  ...mean('delete', 'delete remove rm'),
  ...mean('get', 'describe get show view'),
  ...mean('list', 'list ls'),
  ...mean('update', 'edit patch set update'),
};

const find = (names: Names | undefined, word: string): string | undefined =>
  names !== undefined && Object.hasOwn(names, word) ? names[word] : undefined;

const didYouMean = (command: string): string => `Did you mean ${command}?`;

/**
 * Returns what a word after `command` means in other tools; undefined if it has no such meaning. `known` are the
 * subcommands that there are.
 */
export function findOtherCommand(
  command: string,
  word: string,
  known: readonly string[],
): string | undefined {
  const explained = find(impossible[command], word);
  if (explained !== undefined) return explained;
  if (command === 'orgchat') {
    const verb = find(verbs, word);
    if (verb !== undefined) return `The resource comes first, as in: orgchat tags ${verb}.`;
    const other = find(topCommands, word);
    return other === undefined ? undefined : didYouMean(other);
  }
  const own = find(groupSubcommands[command], word) ?? find(subcommands, word);
  return own !== undefined && known.includes(own) ? didYouMean(`${command} ${own}`) : undefined;
}

/** What other tools call options. */
const options: Names = {
  ...mean('--format', '-o --output --output-format -F'),
  ...mean('--fields', '-q --columns --field --jq --jsonpath --query --select --template'),
  ...mean('--data', '-f -d --body --file --filename --from-file --input'),
  ...mean('--yes', '--assume-yes --auto-approve --confirm --force --no-input --no-prompt --non-interactive'),
  ...mean('--debug', '-v --log-level --trace --verbose'),
  ...mean('--quiet', '-s --silent'),
  ...mean('--profile', '-p --context --env'),
  ...mean('--base-url', '--api-url --endpoint --host --server-url'),
  ...mean('--only', '--resource --target'),
  ...mean('--all', '-a -A --all-pages --paginate'),
  ...mean('--limit', '-L -l -n --count --max --max-items --max-results --page-size --per-page'),
  ...mean('--search', '--filter --grep'),
  ...mean('--dry-run', '--check --dry --plan --preview --what-if'),
  ...mean('--timeout', '--request-timeout --wait-timeout'),
  ...mean('--retries', '--max-retries --retry'),
};

/** Commands whose file is an argument, and an option in other tools. */
const takesFile = /^orgchat (?:change|config (?:apply|diff|plan|validate)|keywords import)$/;
const fileOptions = ['-f', '--file', '--filename', '--from-file'];

/** Returns what an option means in other tools, if the command has that: `known` are its options. */
export function findOtherOption(command: string, word: string, known: readonly string[]): string | undefined {
  const [name = ''] = word.split('=', 1);
  if (takesFile.test(command) && fileOptions.includes(name))
    return `The file is an argument: ${command} FILE.`;
  const meant = find(options, name);
  return meant !== undefined && known.includes(meant) ? didYouMean(meant) : undefined;
}
