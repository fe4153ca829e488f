/** What other tools call commands, and what they are called here. By the command that the word follows. */
const otherNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  orgchat: {
    apply: 'orgchat config apply',
    diff: 'orgchat config diff',
    export: 'orgchat config export',
    import: 'orgchat keywords import',
    login: 'orgchat auth login',
    logout: 'orgchat auth logout',
    plan: 'orgchat config plan',
    serve: 'orgchat mock start',
    start: 'orgchat mock start',
    status: 'orgchat doctor',
    whoami: 'orgchat auth status',
  },
  'orgchat auth': { whoami: 'orgchat auth status' },
  'orgchat config': { pull: 'orgchat config export', push: 'orgchat config apply' },
  'orgchat mock': {
    down: 'orgchat mock stop',
    run: 'orgchat mock exec',
    serve: 'orgchat mock start',
    status: 'orgchat mock wait',
    up: 'orgchat mock start',
  },
};

/** The command that a word after `command` means in other tools; undefined if it has no such meaning. */
export function findOtherName(command: string, word: string): string | undefined {
  const names = Object.hasOwn(otherNames, command) ? otherNames[command] : undefined;
  return names !== undefined && Object.hasOwn(names, word) ? names[word] : undefined;
}
