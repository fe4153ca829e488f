import { describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });

describe('records', () => {
  test('a broadcast draft from flags', async () => {
    const { json } = await cli.run([
      'broadcasts',
      'create',
      '--title',
      'N',
      '--account',
      'Demo shop',
      '--message',
      'Hi',
      '--tag',
      'VIP',
      '--json',
    ]);
    expect(json.result).toMatchObject({
      target: 'tags',
      status: 'draft',
      scheduledAt: null,
      messages: [{ type: 'text', text: 'Hi' }],
    });
  });

  test('setting tags of a draft for all friends prints a warning', async () => {
    const tag = ['broadcasts', 'update', 'New courses', '--tag', 'VIP', '--json'];
    const forAll = await cli.run(tag);
    expect(forAll.json.result).toMatchObject({ target: 'all', tagIds: [expect.any(String)] });
    expect(forAll.stderr).toContain('the target stays "all"; pass --target tags to send only to these tags');
    const forTags = await cli.run([...tag, '--target', 'tags']);
    expect([forTags.json.result?.target, forTags.stderr]).toEqual(['tags', '']);
    expect((await cli.run(tag)).stderr).not.toContain('warning');
  });
});
