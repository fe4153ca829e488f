import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { command } from '../support/paths.ts';
import { headers } from '../support/requests.ts';
import { rounds } from '../support/rounds.ts';
import { against, type Group, type Suite } from '../support/row.ts';
import { wholeRun } from '../support/run-node.ts';
import { freePort, prismArguments, readyAt } from '../support/servers.ts';

const bare = 'node -e 0';

const serverGroup: Group = {
  title: 'Start of the mock server',
  about:
    'From the start of the process to the end of its first answer, compared with a Node process that does nothing. If `NODE_EXTRA_CA_CERTS` is set, every start of Node reads those certificates. So it is also measured without them, and as a difference.',
};
const commandGroup: Group = {
  title: 'Start of the CLI',
  about: 'Duration of the whole command, minus that of a Node process that does nothing.',
};

/** Milliseconds from the start of a server's process to the end of its first answer. */
async function firstAnswer(
  args: readonly string[],
  baseUrlIn: (line: string) => string | undefined,
  env = process.env,
): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const baseUrl = baseUrlIn(line);
      if (baseUrl === undefined) continue;
      const response = await fetch(`${baseUrl}/me`, { headers });
      await response.text();
      if (response.status !== 200) throw new Error(`The server answered ${response.status}.`);
      return performance.now() - begun;
    }
    throw new Error('The server ended before it was ready.');
  } finally {
    child.kill('SIGKILL');
    await exit;
  }
}

export const suite: Suite = {
  name: 'start',
  async run() {
    const prismPort = await freePort();
    const mock = [command, 'mock', 'start', '--port', '0', '--json'];
    const { NODE_EXTRA_CA_CERTS: _, ...without } = process.env;
    const nothing = ['-e', '0'];
    const prismAt = (line: string) =>
      line.includes('Prism is listening') ? `http://127.0.0.1:${prismPort}` : undefined;
    const starts = await rounds(
      {
        mock: () => firstAnswer(mock, readyAt),
        node: () => wholeRun(nothing),
        prism: () => firstAnswer(prismArguments(prismPort), prismAt),
        nodeWithout: () => wholeRun(nothing, without),
        mockWithout: () => firstAnswer(mock, readyAt, without),
      },
      { rounds: 9 },
    );
    const commands = await rounds(
      {
        version: () => wholeRun([command, '--version']),
        node: () => wholeRun(nothing),
        help: () => wholeRun([command, '--help']),
      },
      { rounds: 15 },
    );
    const server = { group: serverGroup, what: 'first answer', unit: 'ms' } as const;
    const bareServer = { ...server, what: 'first answer, without NODE_EXTRA_CA_CERTS' } as const;
    const cli = { group: commandGroup, unit: 'ms', target: { atMost: 25 } } as const;
    return [
      against({ ...server, ours: starts.mock, target: { atMost: 2.5 } }, '×', bare, starts.node),
      against({ ...server, ours: starts.mock }, '×', 'Prism mock', starts.prism),
      against({ ...server, ours: starts.mock }, '−', bare, starts.node),
      against({ ...bareServer, ours: starts.mockWithout }, '×', bare, starts.nodeWithout),
      against({ ...bareServer, ours: starts.mockWithout }, '−', bare, starts.nodeWithout),
      against({ ...cli, what: 'orgchat --version', ours: commands.version }, '−', bare, commands.node),
      against({ ...cli, what: 'orgchat --help', ours: commands.help }, '−', bare, commands.node),
    ];
  },
};
