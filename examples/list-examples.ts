/* The examples, as README.md lists them. */
import { readFileSync } from 'node:fs';

export interface Example {
  /** Its folder. */
  readonly name: string;
  /** The file to begin with, in that folder. */
  readonly file: string;
  /** What it shows, in one line. */
  readonly lesson: string;
}

export function listExamples(): Example[] {
  const page = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  const rows = page.matchAll(/^\| \[([\w-]+)\]\(\1\/([\w.-]+)\) \| (.+) \|$/gm);
  return Array.from(rows, ([, name = '', file = '', lesson = '']) => ({ name, file, lesson }));
}

/** Each form that a comment at the top of a program has. */
const comments = [/^\/\*([\s\S]*?)\*\//, /^"""([\s\S]*?)"""/, /^((?:\/\/.*\n)+)/];

/** The comment at the top of a program, without what marks it as one. */
export function readFirstComment(code: string): string {
  const [found = ''] = comments.flatMap((comment) => comment.exec(code)?.[1] ?? []);
  return found.replace(/^(?: \*|\/\/) ?/gm, '').trim();
}
