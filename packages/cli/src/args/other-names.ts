/** Commands as other tools name them, with the name that they have here. */
const otherNames: Readonly<Record<string, string>> = {
  'orgchat apply': 'orgchat config apply',
  'orgchat diff': 'orgchat config diff',
  'orgchat export': 'orgchat config export',
  'orgchat import': 'orgchat keywords import',
  'orgchat login': 'orgchat auth login',
  'orgchat logout': 'orgchat auth logout',
  'orgchat plan': 'orgchat config plan',
  'orgchat serve': 'orgchat mock start',
  'orgchat start': 'orgchat mock start',
  'orgchat status': 'orgchat doctor',
  'orgchat whoami': 'orgchat auth status',
  'orgchat auth whoami': 'orgchat auth status',
  'orgchat config pull': 'orgchat config export',
  'orgchat config push': 'orgchat config apply',
  'orgchat mock serve': 'orgchat mock start',
  'orgchat mock status': 'orgchat mock wait',
  'orgchat mock up': 'orgchat mock start',
  'orgchat mock down': 'orgchat mock stop',
  'orgchat mock run': 'orgchat mock exec',
};

/** The command that a word after `command` means in other tools; undefined if it has no such meaning. */
export function findOtherName(command: string, word: string): string | undefined {
  const typed = `${command} ${word}`;
  return Object.hasOwn(otherNames, typed) ? otherNames[typed] : undefined;
}
