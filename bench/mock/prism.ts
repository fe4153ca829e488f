import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { answerOf, median, rate, shot, spread } from './load.ts';
import { start } from './spawn.ts';

/* The mock against Prism's mock on the same document and the same request, interleaved rounds. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const port = 4890;
const child = spawn('npx', ['prism', 'mock', 'spec/openapi.yaml', '-p', String(port), '-v', 'error'], {
  cwd: root,
  stdio: 'ignore',
  detached: true,
});
const stop = (): void => void (child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'));
const mock = await start('./mock-server.ts');
const list = JSON.parse(await answerOf(mock.port, '/chat/read', { resource: 'tags', limit: 1 })) as {
  records: { id: string }[];
};
const operationId = crypto.randomUUID();
const change = { action: 'create-tags', data: { name: 'Bench', color: 'blue' } };
const cases = {
  'read by id': ['/chat/read', { resource: 'tags', id: list.records[0]?.id }],
  replay: ['/chat/changes', { operationId, change }],
  'list of 50': ['/chat/read', { resource: 'tags', limit: 50 }],
} as const;
for (let tries = 0; ; tries++) {
  const up = await fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
  if (up || tries > 100) break;
  await new Promise((resolve) => setTimeout(resolve, 100));
}
try {
  for (const [name, [path, body]] of Object.entries(cases)) {
    const [own, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < 4; round++) {
      own.push(await rate(mock.port, shot(mock.port, path, body), 1000));
      const theirPath = {
        bytes: Buffer.from(shot(port, path, body).bytes.toString().replace('/api/v1', '')),
      };
      theirs.push(await rate(port, theirPath, 1000));
    }
    const ratios = own.map((value, i) => value / (theirs[i] ?? Number.NaN)).slice(1);
    console.log(
      `${name}: mock ${Math.round(median(own))}/s, Prism ${Math.round(median(theirs))}/s, ratio ${spread(ratios)} (target 10)`,
    );
  }
} finally {
  stop();
  mock.stop();
}
