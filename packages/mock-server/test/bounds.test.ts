import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { limits } from '@orgchat/spec';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMock, type Mock } from '../src/index.ts';
import { maxBodyBytes } from '../src/mock-limits.ts';
import { adapters, type ServedMock } from '../test-support/adapters.ts';
import { Caller } from '../test-support/caller.ts';
import { card, cardBlock, data, step } from '../test-support/data.ts';

const unlimited = { rateLimit: 'off', monthlyLimit: 'off' } as const;
const megabyte = 2 ** 20;

describe('the request log', () => {
  const ask = async (mock: Mock, times: number): Promise<void> => {
    for (let n = 0; n < times; n++) await new Caller(mock).me();
  };

  it('keeps the latest requests, up to its size', async () => {
    const mock = createMock({ ...unlimited, requestLogSize: 3 });
    await ask(mock, 5);
    expect(mock.requests.list().map(({ id }) => id)).toEqual([3, 4, 5]);
    mock.requests.clear();
    await ask(mock, 2);
    expect(mock.requests.list().map(({ id }) => id)).toEqual([6, 7]);
    const none = createMock({ ...unlimited, requestLogSize: 0 });
    await ask(none, 1);
    expect(none.requests.list()).toEqual([]);
  });

  it('keeps 10,000 by default', async () => {
    const mock = createMock(unlimited);
    // A path that is not known takes half of the time of a valid request.
    for (let n = 0; n < 10_001; n++) await mock.fetch(`${mock.baseUrl}/nowhere`);
    const kept = mock.requests.list();
    expect(kept).toHaveLength(10_000);
    expect(kept[0]?.id).toBe(2);
  });
});

describe('the minute limit', () => {
  it.each([
    ['off', 60],
    [7, 7],
    [undefined, 60],
  ] as const)('of %s is reported as %i', async (rateLimit, perMinute) => {
    const mock = createMock(rateLimit === undefined ? {} : { rateLimit });
    const caller = new Caller(mock);
    for (let n = 0; n < perMinute; n++) {
      expect(await caller.me()).toMatchObject({ status: 200, body: { api: { perMinute } } });
    }
    expect((await caller.me()).status).toBe(rateLimit === 'off' ? 200 : 429);
  });
});

describe('a large body over HTTP', () => {
  let served: ServedMock;
  let caller: Caller;
  beforeAll(async () => {
    served = await adapters.HTTP(unlimited);
    caller = new Caller(served);
  });
  afterAll(() => served.close());

  it('is accepted up to the limit, and rejected above it', async () => {
    const padded = (bytes: number): string => '{"resource":"accounts"}'.padEnd(bytes);
    const send = (bytes: number) => caller.send('/chat/read', undefined, { raw: padded(bytes) });
    expect((await send(maxBodyBytes)).status).toBe(200);
    expect(await send(maxBodyBytes + 1)).toMatchObject({
      status: 400,
      body: { error: 'INVALID_INPUT', message: expect.stringContaining(`${maxBodyBytes} bytes`) },
    });
  });

  it('is a valid scenario at its largest, in Japanese', async () => {
    const fill = (count: number): string => 'あ'.repeat(count);
    const opening = 'https://';
    const uri = opening + fill(limits.uriLength - opening.length);
    const button = { label: fill(limits.buttonLabelLength), action: { type: 'uri', uri } };
    const full = {
      ...card,
      title: fill(limits.cardTitleLength),
      text: fill(limits.cardTextLength),
      buttons: Array(limits.buttonsPerCard).fill(button),
    };
    const block = {
      ...cardBlock,
      altText: fill(limits.cardAltTextLength),
      cards: Array(limits.cardsPerBlock).fill(full),
    };
    const content = Array(limits.blocksPerMessage).fill(block);
    const steps = Array(limits.stepsPerScenario).fill({
      ...step,
      text: fill(limits.longTextLength),
      content,
    });
    const scenario = { ...data.scenarios, steps };
    expect(Buffer.byteLength(JSON.stringify(scenario))).toBeGreaterThan(9 * megabyte);
    const { status, body } = await caller.apply({ action: 'create-scenarios', data: scenario });
    expect({ status, message: body.message }).toEqual({ status: 200, message: undefined });
    const { record } = (await caller.read({ resource: 'scenarios', id: body.result.id })).body;
    expect(record.steps).toEqual(JSON.parse(JSON.stringify(steps)));
  });
});

it('a sandbox with a change of its own holds less than 200 kB', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const count = 200;
  const mock = createMock(unlimited);
  const before = held();
  const sandboxes = Array.from({ length: count }, () => mock.sandbox());
  for (const sandbox of sandboxes) {
    const { status } = await new Caller(sandbox).apply({ action: 'create-tags', data: data.tags });
    expect(status).toBe(200);
  }
  expect((held() - before) / count).toBeLessThan(200_000);
  expect(mock.sandboxes.size).toBe(count);
});
