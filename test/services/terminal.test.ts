/*
 * The command in a real terminal: bash with job control inside tmux. Only there do Ctrl-D, Ctrl-Z and `fg` mean what
 * they mean to a person, and only a real screen shows what a hostile name can do to a question.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { builtCommand } from '../../packages/cli/test-support/build.ts';

const command = builtCommand().entry;
const mock = createMock();
const client = createClient({
  apiKey: 'demo-write-key',
  baseUrl: mock.baseUrl,
  fetch: mock.fetch,
  pacing: false,
});
/** Erases the line of the question, then claims that all is well. */
const hostileName = 'VIP\u001b[2K\r\u001b[32mSafe to confirm\u001b]52;c;aGk=\u0007';

let folder: string;
let server: Awaited<ReturnType<typeof mock.listen>>;

function tmux(...args: readonly string[]): string {
  return execFileSync('tmux', ['-S', join(folder, 'tmux'), '-f', '/dev/null', ...args], { encoding: 'utf8' });
}

function type(...keys: readonly string[]): void {
  tmux('send-keys', '-t', 'test', ...keys);
}

const screen = (): string => tmux('capture-pane', '-p', '-t', 'test');

async function waitForScreen(pattern: RegExp): Promise<string> {
  return vi.waitFor(
    () => {
      const text = screen();
      expect(text).toMatch(pattern);
      return text;
    },
    { timeout: 30_000, interval: 50 },
  );
}

beforeEach(async () => {
  mock.reset();
  // Goes with the folder for temporary files of the whole run.
  folder = mkdtempSync(join(tmpdir(), 'terminal-'));
  server = await mock.listen({ port: 0 });
  const settings = {
    ORGCHAT_BASE_URL: server.baseUrl,
    ORGCHAT_API_KEY: 'demo-write-key',
    HOME: folder,
    // The shell would write its history while the folder is removed.
    HISTFILE: '/dev/null',
    PATH: process.env.PATH ?? '',
  };
  const variables = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const shell = 'exec bash --noprofile --norc -i';
  tmux('new-session', '-d', '-s', 'test', '-x', '100', '-y', '40', ...variables, shell);
  await waitForScreen(/[#$]/);
});

afterEach(async () => {
  tmux('kill-server');
  await server.close();
});

async function createTag(name: string): Promise<string> {
  const { result } = await client.tags.create({ name, color: 'pink' });
  return `${Object(result).id}`;
}

const tagNames = async (): Promise<string[]> => (await client.tags.list()).records.map(({ name }) => name);

describe('a question in a real terminal', () => {
  it('shows a hostile name as text, and Ctrl-D declines with exit code 8', async () => {
    const id = await createTag(hostileName);
    type(`node ${command} tags delete ${id}; echo "exit code $?"`, 'Enter');
    const question = await waitForScreen(/Delete .*VIP/);
    expect(question).toMatch(/VIP.*\[2K.*Safe to/);
    type('C-d');
    await waitForScreen(/exit code 8/);
    expect((await tagNames()).some((name) => name.startsWith('VIP'))).toBe(true);
  });

  it('is shown again after Ctrl-Z and fg, and then accepts the answer', async () => {
    const id = await createTag('Suspended');
    type(`node ${command} tags delete ${id}; echo "exit code $?"`, 'Enter');
    await waitForScreen(/Delete .*Suspended/);
    type('C-z');
    await waitForScreen(/Stopped/);
    type('clear', 'Enter');
    await vi.waitFor(() => expect(screen()).not.toMatch(/Stopped/), { timeout: 30_000, interval: 50 });
    type('fg', 'Enter');
    await waitForScreen(/Delete .*Suspended/);
    type('y');
    await vi.waitFor(async () => expect(await tagNames()).not.toContain('Suspended'), { timeout: 30_000 });
    // The command may still write into its folder: the next one runs when it has ended.
    type('echo "the command "ended', 'Enter');
    await waitForScreen(/^the command ended/m);
  });
});
