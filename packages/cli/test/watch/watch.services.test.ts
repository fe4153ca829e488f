import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { type Result, until, useCli } from '../../test-support/harness.ts';
import { atTerminal, type PtyOptions } from '../../test-support/pty.ts';

const cli = useCli();
const every = ['--every', '50ms'];

interface Event {
  readonly type: string;
  readonly id: string;
  readonly record: { readonly text: string };
}

async function say(text: string): Promise<void> {
  const { records } = (await cli.control('GET', '/records?resource=friends')) as {
    records: { accountId: string; userId: string }[];
  };
  const [friend] = records;
  await cli.control('POST', `/friends/${friend?.accountId}/${friend?.userId}/messages`, { text });
}

/** Starts a watch, and waits until it has read the conversations. */
async function begin(...args: string[]) {
  const before = (await cli.received('readChat')).length;
  const { child, result } = cli.begin(['watch', 'messages', ...every, ...args]);
  const lines: Event[] = [];
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => {
      // Otherwise it is a line of an error.
      if (line.startsWith('{"type"')) lines.push(JSON.parse(line));
    });
  let isOver = false;
  void result.then(() => {
    isOver = true;
  });
  // The first round is over when the second begins.
  await until(async () => isOver || (await cli.received('readChat')).length > before + 2);
  return { child, result, lines };
}

const errorOf = ({ json }: Result) =>
  json.error as unknown as { code: string; message: string; event?: Event };

describe('watch messages', () => {
  test('prints new messages as JSON lines until it is interrupted, and continues with a cursor', async () => {
    const first = await begin('--cursor', 'inbox');
    await say('one');
    await until(async () => first.lines.length === 1);
    first.child.kill('SIGINT');
    expect((await first.result).code).toBe(130);
    expect(first.lines).toMatchObject([{ type: 'message', record: { text: 'one', direction: 'incoming' } }]);
    await say('two');
    const second = await begin('--cursor', 'inbox');
    await until(async () => second.lines.some(({ record }) => record.text === 'two'));
    // One watcher per cursor.
    const other = await cli.run(['watch', 'messages', '--cursor', 'inbox', '--json']);
    expect([other.code, errorOf(other).code]).toEqual([5, 'CURSOR_IN_USE']);
    second.child.kill('SIGTERM');
    const { code, stderr } = await second.result;
    expect(code).toBe(143);
    expect(stderr).toMatch(/warning: A round every 50 ms sends \d+ requests/);
  });

  test('a line that nobody read comes again', async () => {
    const reader = await begin('--cursor', 'piped');
    reader.child.stdout?.destroy();
    await say('unread');
    expect((await reader.result).code).toBe(0);
    const next = await begin('--cursor', 'piped');
    await until(async () => next.lines.length > 0);
    expect(next.lines[0]?.record.text).toBe('unread');
    next.child.kill('SIGINT');
    await next.result;
  });

  test('runs --exec for each event; if it fails, the event is on stderr and comes again', async () => {
    const seen = join(cli.folder, 'seen.jsonl');
    const failing = await begin('--cursor', 'bot', '--exec', 'cat >/dev/null; exit 3', '--json');
    await say('first \u202E');
    const failed = await failing.result;
    const { code, message, event } = errorOf(failed);
    expect([failed.code, code]).toEqual([1, 'EXEC_FAILED']);
    expect(message).toBe('The command of --exec exited with 3. The cursor did not move.');
    expect(event?.record.text).toBe('first \u202E');
    expect(failed.stderr).toContain(`"id":"${event?.id}"`);
    expect(failed.stderr).not.toContain('\u202E');
    const working = await begin('--cursor', 'bot', '--exec', `cat >>'${seen}'`);
    await say('second');
    const readSeen = (): Event[] => {
      try {
        return readFileSync(seen, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Event);
      } catch {
        return [];
      }
    };
    await until(async () => readSeen().length === 2);
    expect(readSeen().map(({ record }) => record.text)).toEqual(['first \u202E', 'second']);
    expect(readSeen()[0]?.id).toBe(event?.id);
    working.child.kill('SIGINT');
    expect((await working.result).code).toBe(130);
  });

  test('with --on-error skip, a command that fails is reported and the next event follows', async () => {
    const skipping = await begin('--exec', 'exit 4', '--on-error', 'skip');
    await say('one \u202E');
    await say('two');
    let said = '';
    skipping.child.stderr?.on('data', (text: string) => {
      said += text;
    });
    await until(async () => said.includes('"text":"two"'));
    expect(said).toMatch(/warning: The command of --exec exited with 4\. Skipped: \{"type":"message".*"one /);
    expect(said).not.toContain('\u202E');
    skipping.child.kill('SIGINT');
    expect((await skipping.result).code).toBe(130);
  });
});

describe.runIf(process.platform !== 'win32')('at a terminal, Ctrl-C', () => {
  const run = (line: string, typed: PtyOptions['typed'] = []) =>
    atTerminal(cli, ['watch', 'messages', ...every, '--since', 'all', '--exec', line], { typed });

  test('lets the command of --exec finish, and no other event follows', async () => {
    const [go, done] = [join(cli.folder, 'go'), join(cli.folder, 'done')];
    const line = `cat >/dev/null; echo began; until [ -e '${go}' ]; do sleep 0.05; done; echo yes >>'${done}'`;
    const { code, shown } = await run(line, [
      ['began', '\x03'],
      ['finishing the command of --exec', () => writeFileSync(go, '')],
    ]);
    expect([code, readFileSync(done, 'utf8')]).toEqual([130, 'yes\n']);
    expect(shown.match(/began/g)).toHaveLength(1);
  });

  test('a second time ends the command of --exec, too', async () => {
    const ended = join(cli.folder, 'ended');
    const line = `trap "echo yes >'${ended}'; exit" TERM; cat >/dev/null; echo began; while :; do sleep 0.05; done`;
    const { code } = await run(line, [
      ['began', '\x03'],
      ['press Ctrl-C again', '\x03'],
    ]);
    expect(code).toBe(130);
    await until(async () => existsSync(ended));
  });

  test('or Ctrl-\\ ends it at once, and the command of --exec with it', async () => {
    const ended = join(cli.folder, 'quit');
    const line = `trap "echo yes >'${ended}'; exit" TERM; cat >/dev/null; echo began; while :; do sleep 0.05; done`;
    const { shown } = await run(line, [['began', '\x1c']]);
    await until(async () => existsSync(ended));
    expect(shown).not.toContain('finishing');
  });
});

test('watch submissions and clicks find forms and links by name', async () => {
  const forms = (await cli.run(['forms', 'list', '--json'])).json as unknown as {
    name: string;
    id: string;
  }[];
  const missing = await cli.run(['watch', 'submissions', 'Nobody', '--json']);
  expect([missing.code, errorOf(missing).code]).toEqual([6, 'NOT_FOUND']);
  const { child, result } = cli.begin([
    'watch',
    'submissions',
    `${forms[0]?.name}`,
    ...every,
    '--since',
    'all',
  ]);
  let [isOver, stdout] = [false, ''];
  child.stdout?.on('data', (text: string) => {
    stdout += text;
  });
  void result.then(() => {
    isOver = true;
  });
  await until(async () => isOver || stdout.includes('\n'));
  expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({
    type: 'submission',
    record: { formId: forms[0]?.id },
  });
  child.kill('SIGINT');
  await result;
});
