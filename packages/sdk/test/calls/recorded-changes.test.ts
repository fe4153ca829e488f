import { describe, expect, test } from 'vitest';
import { memoryJournal } from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { applied, lost, type Step, scripted } from '../../test-support/servers/scripted.ts';

const vip = { name: 'VIP', color: 'pink' } as const;

describe('a change and its journal entry', () => {
  test('it has an id and an entry also without retries', async () => {
    const { client, sent } = scripted([lost], { retry: false });
    const error = await getRejection(client.tags.create(vip));
    expect(sent).toHaveLength(1);
    expect(error).toMatchObject({
      operationId: JSON.parse(sent[0]?.body ?? '').operationId,
      resume: expect.any(Function),
    });
  });

  test('every attempt sends the data of the call, even if the object changes later', async () => {
    const data: { name: string; color: 'pink' } = { ...vip };
    const { client, sent } = scripted([lost, applied]);
    const call = client.tags.create(data);
    data.name = 'Changed';
    await call;
    expect(sent.map(({ body }) => JSON.parse(body).change.data.name)).toEqual(['VIP', 'VIP']);
  });

  test('it is recorded before anything is sent, and not sent if that fails', async () => {
    const journal = memoryJournal();
    const order: string[] = [];
    const spied = {
      ...journal,
      add: async (entry: Parameters<typeof journal.add>[0]) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push('recorded');
        return journal.add(entry);
      },
    };
    const send: Step = (request, body) => {
      order.push('sent');
      return applied(request, body);
    };
    await scripted([send], { journal: spied }).client.tags.create(vip);
    expect(order).toEqual(['recorded', 'sent']);

    const full = { ...journal, add: () => Promise.reject(new Error('ENOSPC')) };
    const { client, sent } = scripted([applied], { journal: full });
    expect(await getRejection(client.tags.create(vip))).toMatchObject({
      code: 'JOURNAL_FAILED',
      cause: new Error('ENOSPC'),
      operationId: expect.any(String),
    });
    expect(sent).toHaveLength(0);
  });

  test('it is applied even if its outcome cannot be recorded', async () => {
    const journal = { ...memoryJournal(), settle: () => Promise.reject(new Error('disk full')) };
    const events: unknown[] = [];
    const { client } = scripted([applied], { journal, onEvent: (event) => events.push(event) });
    expect(await client.tags.create(vip)).toMatchObject({ applied: true });
    expect(events).toContainEqual({ type: 'journal', problem: expect.objectContaining({ reason: 'write' }) });
  });
});
