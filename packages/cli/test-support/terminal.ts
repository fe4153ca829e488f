import { spawn } from 'node:child_process';
import type { Harness } from './harness.ts';

/**
 * Runs a line of shell on a pseudo-terminal of its own (util-linux's script) and types: each text once the text
 * before it was shown. Resolves to all that was shown.
 */
export function typing(
  { env, folder }: Harness,
  line: string,
  typed: readonly (readonly [after: string, text: string])[],
): Promise<string> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  const child = spawn('script', ['-qec', `sh -c '${line.replaceAll("'", "'\\''")}'`, '/dev/null'], {
    cwd: folder,
    env: { ...given, TERM: 'xterm', SHELL: '/bin/sh' },
  });
  const waiting = [...typed];
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const [next] = waiting;
    if (next === undefined || !shown.includes(next[0])) return;
    waiting.shift();
    child.stdin.write(next[1]);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(shown));
  });
}
