import { createMock } from '@orgchat/mock-server';
import { createClient, requireResult } from '@orgchat/sdk';
import { beforeEach, describe, expect, test } from 'vitest';
import { Context } from '../../context.ts';
import type { Step } from '../plan/plan-schema.ts';
import { findDuplicateLabels } from './conflicts.ts';
import type { SendOptions } from './send-step.ts';
import { type SentStep, type StepResults, StepSender } from './send-step.ts';

const mock = createMock({ rateLimit: 'off' });
const connect = () =>
  createClient({ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch, pacing: false });
const client = connect();
/** Another user. */
const rival = connect();

beforeEach(() => mock.reset());

const data = { name: 'Fresh', color: 'blue' } as const;
const create: Step = {
  ...{ key: '1', action: 'create', resource: 'tags', label: 'Fresh', data, origin: 'file', fields: [] },
};

async function send(step: Step, sending: Partial<SendOptions> = {}): Promise<SentStep> {
  const { organizationId } = await client.account();
  const all: SendOptions = {
    organizationId,
    policy: 'repeat',
    isKnown: () => false,
    isGivenUp: () => false,
    hasLabelNow: () => false,
    ...sending,
  };
  return new StepSender(client, all, {}).send(step, new Map());
}

/** A step about a tag of the organization, as it was planned. */
async function planned(action: 'update' | 'delete', color: 'green' | undefined): Promise<Step> {
  const result = requireResult(await rival.tags.create(data));
  const guard = { id: result.id, expectedRevision: result.revision, expectedLabel: result.label };
  const wanted = color === undefined ? {} : { data: { ...data, color } };
  return { ...create, ...guard, ...wanted, action, operationId: crypto.randomUUID() };
}

describe('an update of a record that someone else changed in between', () => {
  test('counts as done if the record already matches the file', async () => {
    const step = await planned('update', 'green');
    await rival.tags.edit(step.id ?? '', (tag) => ({ ...tag, color: 'green' }));
    expect(await send(step)).toMatchObject({ id: step.id, replayed: true, revision: expect.any(String) });
    await expect(send(step, { policy: 'exact' })).rejects.toMatchObject({ code: 'STALE_REVISION' });
  });

  test('is refused if the record has another value', async () => {
    const step = await planned('update', 'green');
    await rival.tags.edit(step.id ?? '', (tag) => ({ ...tag, color: 'pink' }));
    await expect(send(step)).rejects.toMatchObject({ code: 'STALE_REVISION' });
  });
});

describe('a deletion of a record that someone else deleted in between', () => {
  const deleted = async (): Promise<Step> => {
    const step = await planned('delete', undefined);
    await rival.tags.delete(await rival.tags.get(step.id ?? ''));
    return step;
  };

  test('is done', async () => {
    const step = await deleted();
    expect(await send(step)).toMatchObject({ id: step.id, replayed: true });
    await expect(send(step, { policy: 'exact' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is refused while nothing can be read', async () => {
    const step = await deleted();
    mock.faults.arm({
      effect: 'respond',
      status: 404,
      error: 'RUNTIME_UNAVAILABLE',
      operation: 'readChat',
      times: 9,
    });
    await expect(send(step)).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
  });
});

describe('a create', () => {
  test('whose record is gone is repeated, or not, as the policy says', async () => {
    const { id } = await send(create);
    await rival.tags.delete(await rival.tags.get(id));
    await expect(send(create, { policy: 'exact' })).rejects.toMatchObject({
      code: 'CREATED_BEFORE',
      exit: 5,
    });
    expect(await send(create)).toMatchObject({ replayed: false });
  });

  test('is rejected if someone else created a record with the label since', async () => {
    const { id } = await send(create);
    await rival.tags.delete(await rival.tags.get(id));
    await rival.tags.create({ ...data, color: 'pink' });
    await expect(send(create)).rejects.toMatchObject({ code: 'LABEL_TAKEN', exit: 5 });
  });

  test('whose label someone else used at the same time is found afterwards', async () => {
    const known = new Set<string>();
    for await (const { id } of client.tags.list()) known.add(id);
    const isKnown = (id: string): boolean => known.has(id);
    const result = requireResult(await rival.tags.create({ ...data, color: 'pink' }));
    const made = await send(create, { isKnown });
    const applied: StepResults = { done: [{ step: create, made }], failed: [], notStarted: [] };
    const sending = { organizationId: '', policy: 'repeat', isKnown } as const;
    const context = new Context({}, { exitCode: 0 });
    const look = (all: StepResults) =>
      findDuplicateLabels(context, client, all, {
        ...sending,
        isGivenUp: () => false,
        hasLabelNow: () => false,
      });
    expect(await look(applied)).toMatchObject([{ made, other: { id: result.id } }]);
    await rival.tags.delete(result);
    expect(await look(applied)).toEqual([]);
  });
});
