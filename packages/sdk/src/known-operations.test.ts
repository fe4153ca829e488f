import { describe, expect, test, vi } from 'vitest';
import { errorOf } from '../test-support/rejection.ts';
import { applied, failure, replayed, type Step, scripted } from '../test-support/scripted.ts';
import { InputConflictError, InvalidInputError, OutcomeUnknownError } from './index.ts';

const vip = { name: 'VIP', color: 'pink' } as const;
const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';

describe('a known operation', () => {
  test('is sent again with its journaled bytes', async () => {
    const { client, sent } = scripted([applied, replayed]);
    await client.tags.create({ name: 'VIP', color: 'pink' }, { intent: ['setup', 'vip'] });
    const again = await client.tags.create({ color: 'pink', name: 'VIP' }, { intent: ['setup', 'vip'] });
    expect(again.replayed).toBe(true);
    expect(sent[1]?.body).toBe(sent[0]?.body);
  });

  test('with other input is refused here', async () => {
    const { client, sent } = scripted([applied]);
    await client.tags.create(vip, { operationId: id });
    const error = await errorOf(
      client.tags.create({ ...vip, color: 'blue' }, { operationId: id.toUpperCase() }),
    );
    expect(error).toBeInstanceOf(InputConflictError);
    expect(error).toMatchObject({ operationId: id, attempts: 0 });
    expect(sent).toHaveLength(1);
  });

  test('is recognized by what the caller gave: a newer revision of the record plays no part', async () => {
    const { client, sent } = scripted([applied, replayed]);
    const record = { id, revision: 'a'.repeat(64), label: 'Old' };
    await client.tags.update(record, vip, { intent: ['rename'] });
    await client.tags.update({ id, revision: 'b'.repeat(64), label: 'VIP' }, vip, { intent: ['rename'] });
    expect(sent[1]?.body).toBe(sent[0]?.body);
    const other = { id: id.replace('6f', '7f'), revision: 'b'.repeat(64), label: 'VIP' };
    expect(await errorOf(client.tags.update(other, vip, { intent: ['rename'] }))).toBeInstanceOf(
      InputConflictError,
    );
  });

  test('that was refused may be given other input', async () => {
    const { client } = scripted([failure(400, 'INVALID_INPUT'), applied]);
    await errorOf(client.tags.create({ ...vip, name: '' }, { operationId: id }));
    expect(await client.tags.create(vip, { operationId: id })).toMatchObject({
      applied: true,
      operationId: id,
    });
  });

  test('waits for its twin in this process', async () => {
    const slow: Step = async (request, body) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return applied(request, body);
    };
    const { client, sent } = scripted([slow, replayed]);
    const both = await Promise.all([
      client.tags.create(vip, { intent: ['once'] }),
      client.tags.create(vip, { intent: ['once'] }),
    ]);
    // Which of them is first depends on whose id is derived first.
    expect(both.map(({ replayed }) => replayed).sort()).toEqual([false, true]);
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThan(15);
  });

  test('waits for nobody under another id', async () => {
    let answerFirst: (answer: Response) => void = () => undefined;
    const held: Step = () =>
      new Promise((resolve) => {
        answerFirst = resolve;
      });
    const { client, sent } = scripted([held, applied]);
    const first = client.tags.create(vip, { operationId: id });
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    // With an id of its own, and with one made for it.
    const other = id.replace(/^./, 'a');
    expect(await client.tags.create(vip, { operationId: other })).toMatchObject({ operationId: other });
    expect(await client.tags.create(vip)).toMatchObject({ applied: true });
    answerFirst(await applied(new Request('https://x.example'), ''));
    expect(await first).toMatchObject({ operationId: id });
  });

  test('once applied stays applied, even where a later question is refused', async () => {
    const { client } = scripted([applied, failure(403, 'FORBIDDEN')]);
    await client.tags.create(vip, { operationId: id });
    expect(await errorOf(client.tags.create(vip, { operationId: id }))).toBeInstanceOf(OutcomeUnknownError);
    expect(await client.operations.list()).toMatchObject([{ state: 'applied' }]);
  });

  test('operationId and intent together are a mistake', async () => {
    const { client } = scripted([applied]);
    const error = await errorOf(client.tags.create(vip, { operationId: id, intent: ['a'] }));
    expect(error).toBeInstanceOf(InvalidInputError);
  });
});
