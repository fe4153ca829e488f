import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useCli } from '../test-support/harness.ts';
import { create, named } from '../test-support/tags.ts';

const cli = useCli({ inProcess: true });

const flags = ['--', '-y', '-q', '-V', '-h', '--yes', '--quiet', '--version', '--help', '--json', '--debug'];
const dashed = fc
  .tuple(
    fc.constantFrom('-y', '-q', '-V', '-h', '-o', '--', '-'),
    fc.stringMatching(/^[a-z=:. -]{0,12}$/).map((text) => text.trimEnd()),
  )
  .map((parts) => parts.join(''))
  .filter((word) => word !== '-');

/** Gives each random value to a command, and shows that it is sent as it is, or that nothing is. */
async function sendsExactly(
  line: (value: string) => string[],
  operation: string,
  read: (stdout: string) => unknown,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(dashed, async (value) => {
      const before = await cli.received(operation);
      const { code, stdout } = await cli.run([...line(value), '--json']);
      const arrived = (await cli.received(operation)).length - before.length;
      if (code === 3) expect(arrived).toBe(0);
      else expect([code, read(stdout)]).toEqual([0, value]);
      expect(code === 3).toBe(flags.includes(value));
    }),
    { numRuns: 25 },
  );
}

describe('a value that begins with a dash', () => {
  test('is written to notes as it is', async () => {
    const { json } = await cli.run(['friends', 'list', '--limit', '1', '--json']);
    const [{ accountId, userId }] = json as unknown as [{ accountId: string; userId: string }];
    await sendsExactly(
      (value) => ['friends', 'update', accountId, userId, '--notes', value],
      'changeChat',
      (stdout) => (JSON.parse(stdout) as { result: { notes: string } }).result.notes,
    );
  });

  test('is the name of a tag', () =>
    sendsExactly(
      (value) => ['tags', 'create', '--color', 'green', '--name', value],
      'changeChat',
      (stdout) => (JSON.parse(stdout) as { result: { name: string } }).result.name,
    ));

  test('that is an option is named by the error, with the way to pass it', async () => {
    const { code, stderr } = await cli.run(['tags', 'create', '--color', 'green', '--name', '-y']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('To pass -y as the value: --name=-y.')]);
    expect((await cli.run([...create('x').with(3, 'x'), '--intent=-y'])).code).toBe(0);
  });

  test('never confirms a deletion', async () => {
    const { code } = await cli.run(['tags', 'delete', 'VIP', '--intent', '-ycleanup']);
    expect([code, await named(cli, 'VIP')]).toEqual([3, 1]);
  });

  test('is an intent of its own', async () => {
    const ids = new Set<unknown>();
    for (const intent of ['-1', '-y1', '-q1', '-V1'])
      ids.add((await cli.run([...create('same'), '--intent', intent])).json.operationId);
    expect(ids.size).toBe(4);
  });
});

test('a second value of an option with one value is refused, and nothing is sent', async () => {
  const line = ['links', 'create', '--name', 'x', '--url', 'https://x.example', '--tag', 'VIP'];
  const { code, stderr } = await cli.run([...line, '--tag', 'Trial']);
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining('Option --tag takes one value, but it was given twice.'),
  ]);
  expect(await cli.received('changeChat')).toEqual([]);
});
