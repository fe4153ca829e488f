import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { until, useCli } from '../../test-support/harness.ts';
import { countHeld, countSent } from '../../test-support/sent-keywords.ts';

const cli = useCli({ inProcess: true });
beforeAll(() => {
  const many = Array.from({ length: 120 }, (_, index) => ` word ${index} `);
  writeFileSync(join(cli.folder, 'many.txt'), [...many, '', 'word 3'].join('\n'));
});

test('add sends more than 50 in several requests, also those that an earlier one left unknown', async () => {
  await cli.control('POST', '/faults', { effect: 'lose-response', operation: 'addSeoKeywords', after: 1 });
  const input = Array.from({ length: 120 }, (_, index) => `added ${index}`).join('\n');
  const add = () => cli.run(['keywords', 'add', 'demo-site', '-', '--json'], { input });
  const first = await add();
  expect([first.code, first.json.added?.length, first.json.unknown]).toMatchObject([
    7,
    70,
    [{ keywords: { length: 50 } }],
  ]);
  const second = await add();
  expect([second.code, second.json.added, second.json.skipped?.length]).toEqual([0, [], 120]);
  expect((await cli.run(['ops', 'list', '--unsettled', '--json'])).json).toEqual([]);
});

const importMany = (group: string, ...more: string[]) =>
  cli.run(['keywords', 'import', 'demo-site', 'many.txt', '--group', group, '--json', ...more]);

test('import sends 50 per request and reports every keyword', async () => {
  const before = await countHeld(cli);
  const { json, code, stderr } = await cli.run(['keywords', 'import', 'demo-site', 'many.txt', '--json']);
  expect(code).toBe(0);
  expect(json.added).toHaveLength(120);
  expect(json).toMatchObject({ duplicates: 1, refused: [], unknown: [], notSent: [] });
  expect(stderr).toContain('requests for demo-site: 3 of 3');
  expect(await countHeld(cli)).toBe(before + 120);
});

test('an unknown outcome exits 7, and its keywords are never resent automatically', async () => {
  await cli.control('POST', '/faults', { effect: 'lose-response', operation: 'addSeoKeywords', after: 1 });
  const first = await importMany('u');
  expect([first.code, first.json.added?.length, first.json.unknown?.length]).toEqual([7, 70, 1]);
  for (const more of [[], ['--resume']]) {
    const rerun = await importMany('u', ...more);
    expect([rerun.code, rerun.json.unknown?.[0]?.keywords?.length, rerun.json.error?.code]).toEqual([
      7,
      50,
      'OUTCOME_UNKNOWN',
    ]);
  }
  const sent = await countSent(cli);
  const restarted = await importMany('u', '--restart');
  expect([restarted.code, restarted.json.skipped?.length, (await countSent(cli)) - sent]).toEqual([7, 70, 2]);
  const again = await importMany('u', '--retry-unknown');
  expect([again.code, again.json.skipped?.length]).toEqual([0, 120]);
});

test('--dry-run prints what would be sent, and sends nothing', async () => {
  const args = ['keywords', 'import', 'demo-site', 'many.txt', '--group', 'dry', '--json'];
  await cli.control('POST', '/faults', { effect: 'lose-response', operation: 'addSeoKeywords' });
  await cli.run(args);
  const sent = await countSent(cli);
  const sizes = async (...more: string[]) => {
    const { json } = await cli.run([...args, '--dry-run', ...more]);
    return (json as { requests?: { keywords: string[] }[] }).requests?.map(({ keywords }) => keywords.length);
  };
  expect(await sizes()).toEqual([]);
  expect(await sizes('--retry-unknown')).toEqual([50]);
  expect(await sizes('--restart')).toEqual([50, 20]);
  expect(await countSent(cli)).toBe(sent);
  // Nor does it change what is known.
  const next = await cli.run(args);
  expect([next.code, next.json.added?.length, next.json.unknown?.[0]?.keywords?.length]).toEqual([7, 70, 50]);
  expect((await cli.run([...args, '--retry-unknown'])).code).toBe(0);
});

test('a limit stops the import, and --resume continues it', async () => {
  await cli.control('POST', '/faults', {
    effect: 'respond',
    operation: 'addSeoKeywords',
    after: 1,
    status: 429,
    error: 'QUOTA_EXCEEDED',
    times: 9,
  });
  const first = await importMany('r', '--retries', '0');
  expect([first.code, first.json.notSent?.length, first.json.error?.code]).toEqual([7, 70, 'QUOTA_EXCEEDED']);
  await cli.control('DELETE', '/faults');
  const rest = await importMany('r', '--resume');
  expect([rest.code, rest.json.added?.length]).toEqual([0, 120]);
});

test('a changed list sends new keywords, and none that may have been added', async () => {
  const list = (text: string): void => writeFileSync(join(cli.folder, 'list.txt'), text);
  const run = (...more: string[]) =>
    cli.run(['keywords', 'import', 'demo-site', 'list.txt', '--group', 'changed', '--json', ...more]);
  list('k1\nk2\n');
  await cli.control('POST', '/faults', { effect: 'lose-response', operation: 'addSeoKeywords' });
  const lost = await run();
  expect([lost.code, lost.json.error?.code, lost.json.unknown]).toMatchObject([
    7,
    'OUTCOME_UNKNOWN',
    [{ keywords: ['k1', 'k2'] }],
  ]);
  list('k2\nk3\nk1\n');
  const changed = await run();
  expect([changed.code, changed.json.added]).toEqual([7, ['k3']]);
  expect(changed.json.unknown).toMatchObject([{ keywords: ['k1', 'k2'] }]);
  expect(await countSent(cli)).toBe(2);
  // Without the unknown words the list is done, and done again when it is run again.
  list('k3\n');
  expect((await run()).code).toBe(0);
  expect((await run()).json).toMatchObject({ skipped: ['k3'] });
  expect((await run('--resume')).code).toBe(0);
  // A run that has nothing to send forgets nothing.
  list('k1\nk3\n');
  const known = await run('--resume');
  expect([known.json.skipped, known.json.unknown]).toMatchObject([['k3'], [{ keywords: ['k1'] }]]);
  expect(await countSent(cli)).toBe(3);
  list('k1\nk2\nk3\nk4\n');
  const settled = await run('--retry-unknown');
  expect([settled.code, settled.json.skipped, settled.json.added]).toEqual([0, ['k3', 'k1', 'k2'], ['k4']]);
  expect((await cli.run(['ops', 'list', '--unsettled', '--json'])).json).toEqual([]);
});

test('the hint after an unknown outcome resends the list of this command', async () => {
  writeFileSync(join(cli.folder, 'my words.csv'), 'term\nlost\n');
  const options = ['--group', "it's", '--column', 'term'];
  const run = (args: readonly string[]) => cli.run(['keywords', 'import', 'demo-site', ...args, '--json']);
  const resend = "'my words.csv' --group 'it'\\''s' --column term --retry-unknown";
  await cli.control('POST', '/faults', { effect: 'lose-response', operation: 'addSeoKeywords' });
  const lost = await run(['my words.csv', ...options]);
  expect([lost.code, lost.json.error?.hint]).toEqual([
    7,
    expect.stringMatching(/ To drop the record: .*To finish, .*: orgchat keywords import demo-site 'my/),
  ]);
  expect(lost.stderr).toContain(resend);
  const again = await run(['my words.csv', ...options]);
  expect(again.json.error?.hint).toContain(resend);
  expect((await run(['my words.csv', ...options, '--retry-unknown'])).code).toBe(0);
});

test('import skips keywords that add left unknown, until the operation is forgotten', async () => {
  await cli.control('POST', '/faults', { effect: 'lose-response', operation: 'addSeoKeywords' });
  const lost = await cli.run(['keywords', 'add', 'demo-site', 'stray', '--group', 'f', '--json']);
  const operationId = String(lost.json.error?.operationId);
  expect([lost.code, lost.json.error?.hint]).toEqual([
    7,
    expect.stringContaining(`orgchat ops show ${operationId}`),
  ]);
  // The group belongs to the command: without it, the import would find nothing to finish.
  expect(lost.json.error?.hint).toContain(
    'To finish, run this; the site skips keywords that it has: orgchat keywords import demo-site FILE --group f --retry-unknown',
  );
  const run = () =>
    cli.run(['keywords', 'import', 'demo-site', '-', '--group', 'f', '--json'], { input: 'stray\nother\n' });
  const held = await run();
  expect([held.code, held.json.added, held.json.unknown]).toMatchObject([7, ['other'], [{ operationId }]]);
  expect((await cli.run(['ops', 'forget', operationId, '--yes', '--json'])).code).toBe(0);
  const sent = await run();
  expect([sent.code, sent.json.skipped]).toEqual([0, ['stray']]);
});

test('requests of a killed process are unknown, unless the journal has their outcome', async () => {
  await cli.control('POST', '/faults', { effect: 'delay', operation: 'addSeoKeywords', delayMs: 60_000 });
  const args = ['keywords', 'import', 'demo-site', 'many.txt', '--group', 'killed', '--json'];
  const { child, result } = cli.begin(args);
  await until(async () => (await countSent(cli)) === 1);
  child.kill('SIGKILL');
  await result;
  const rerun = await cli.run(args);
  expect([rerun.code, rerun.json.added?.length, rerun.json.unknown?.[0]?.keywords?.length]).toEqual([
    7, 70, 50,
  ]);
  expect((await cli.run([...args, '--retry-unknown'])).code).toBe(0);
});

test('refused keywords are sent by the next run, after the cause is fixed', async () => {
  const args = ['keywords', 'import', 'demo-site', 'many.txt', '--group', 'refused', '--json'];
  const denied = await cli.run(args, { env: { ORGCHAT_API_KEY: 'demo-read-key' } });
  expect([denied.code, denied.json.error?.code]).toEqual([4, 'FORBIDDEN']);
  await cli.control('POST', '/faults', {
    effect: 'respond',
    operation: 'addSeoKeywords',
    after: 1,
    status: 400,
    error: 'KEYWORD_LIMIT_EXCEEDED',
  });
  const limited = await cli.run(args);
  expect([limited.code, limited.json.added?.length, limited.json.refused?.[0]?.keywords?.length]).toEqual([
    7, 50, 50,
  ]);
  expect([limited.json.error?.code, limited.json.notSent?.length]).toEqual(['KEYWORD_LIMIT_EXCEEDED', 20]);
  expect(limited.json.error?.message).toMatch(
    /^The last request \(50 keywords\) was refused: .*[^.]\. The keywords added before stay\.$/,
  );
  const resent = await cli.run(args);
  expect([resent.code, resent.json.added?.length, resent.json.refused]).toEqual([0, 120, []]);
  expect(resent.stderr).toContain('Sending 70 of 120 keywords; 50 already have a result since');
});

test('keywords that an answer does not name exit 7, and only --retry-unknown resends them', async () => {
  const sizes: number[] = [];
  const server = createServer(async (request, response) => {
    const { keywords } = JSON.parse(await text(request)) as { keywords: string[] };
    sizes.push(keywords.length);
    const named = keywords.length === 120 - 2 * 50 ? keywords : keywords.slice(0, 30);
    response
      .writeHead(201, { 'content-type': 'application/json' })
      .end(JSON.stringify({ added: named, skipped: [] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const env = { ORGCHAT_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1` };
  const run = (...more: string[]) =>
    cli.run(['keywords', 'import', 'site', 'many.txt', '--json', ...more], { env });
  const first = await run();
  expect([first.code, first.json.added?.length, first.json.skipped]).toEqual([7, 80, []]);
  expect(first.json).toMatchObject({
    unknown: [
      { keywords: { length: 20 }, error: { reason: 'UNEXPECTED_SHAPE' } },
      { keywords: { length: 20 } },
    ],
    error: { code: 'OUTCOME_UNKNOWN' },
  });
  expect(first.stderr).toContain('outcome unknown (UNEXPECTED_SHAPE)');
  const again = await run();
  expect([again.code, again.json.added?.length, sizes]).toEqual([7, 80, [50, 50, 20]]);
  expect((await run('--restart', '--dry-run')).json).toMatchObject({
    requests: [{ keywords: { length: 50 } }, { keywords: { length: 30 } }],
  });
  const last = await run('--retry-unknown');
  expect(sizes.slice(3)).toEqual([40]);
  expect([last.code, last.json.added?.length]).toEqual([7, 110]);
});
