import { bannedPhrase } from '../../../test/repository/conventions/plain-words.ts';

const field = (stdout: string, name: string): string | undefined => {
  const found = new RegExp(`^ {4}"${name}": (".*"),?$`, 'm').exec(stdout)?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as string);
};

/** What is unclear in the error that a command printed as JSON: each says what happened and what to do next. */
export function unclearError(args: readonly string[], stdout: string): string[] {
  if (!/^\{\n {2}"error": \{/.test(stdout)) return [];
  const [code, message, hint] = ['code', 'message', 'hint'].map((name) => field(stdout, name));
  const missing = [code, message, hint].some((text) => text === undefined || text.trim() === '');
  // What a mock says is not the command's.
  const phrases = args[0] === 'mock' ? [] : [message, hint].flatMap((text) => bannedPhrase(text ?? '') ?? []);
  return [...(missing ? ['the error has no code, message or hint'] : []), ...phrases];
}
