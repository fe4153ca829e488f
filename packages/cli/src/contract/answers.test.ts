import { createMock } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import { CheckHarness } from '../../test-support/contract.ts';
import type { CheckOptions } from './run-check.ts';
import type { Verdict } from './verdicts.ts';

type Input = { readonly resource?: string; readonly [field: string]: unknown };

/** Checks a server that answers some requests otherwise. */
async function check(
  options: Partial<CheckOptions>,
  answer: (input: Input, request: Request) => Response | undefined,
): Promise<{ readonly of: (topic: Verdict['topic']) => Verdict | undefined; readonly kept: string }> {
  const mock = createMock();
  const fetch = async (request: Request): Promise<Response> => {
    const text = request.method === 'POST' ? await request.clone().text() : '';
    const input = (text.length > 2 ? JSON.parse(text) : {}) as Input;
    return answer(input, request) ?? mock.fetch(request);
  };
  const server = { baseUrl: mock.baseUrl, apiKey: 'demo-write-key', fetch };
  const harness = new CheckHarness();
  const { verdicts } = await harness.check(server, options);
  return {
    of: (topic) => verdicts.find((verdict) => verdict.topic === topic),
    kept: [...harness.files.values()].join(''),
  };
}

const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const error = (status: number, code: string): Response =>
  Response.json({ error: code, message: 'x' }, { status });

test('a server without its runtime says nothing about missing records, input and lists', async () => {
  const { of } = await check({ only: ['missing', 'lists', 'invalid'] }, (_, { method }) =>
    method === 'POST' ? error(404, 'DOWN') : undefined,
  );
  for (const topic of [
    'codes.notFound',
    'shapes.list.records',
    'invalid.refused',
    'codes.invalidInput',
  ] as const)
    expect(of(topic)).toMatchObject({ verdict: 'unknown', reason: 'the server answered 404' });
});

test('the code of an unavailable runtime is not that of a missing record', async () => {
  const { of } = await check({ only: ['missing'] }, ({ id: asked, userId }) =>
    asked === undefined && userId === undefined ? undefined : error(404, 'RUNTIME_UNAVAILABLE'),
  );
  expect(of('codes.notFound')).toMatchObject({ verdict: 'unknown', seen: [] });
});

test.each([`tag ${id} was not found`, `NOT_FOUND_${id}`, 'no such record'])(
  'an error that is not a code is not kept: %s',
  async (text) => {
    const { of, kept } = await check({ only: ['missing'] }, ({ id: asked, userId }) =>
      asked === undefined && userId === undefined ? undefined : error(404, text),
    );
    expect(of('codes.notFound')).toMatchObject({
      verdict: 'unknown',
      reason: 'its error is a sentence or has an id, not a code',
    });
    expect(kept).not.toContain(text);
  },
);

test('a place with an id in it is not kept', async () => {
  const { of, kept } = await check({ only: ['lists'] }, ({ resource }) =>
    resource === undefined ? undefined : Response.json({ [id]: [{ id, name: 'x' }], total: 1 }),
  );
  expect(of('shapes.list.records')).toMatchObject({ verdict: 'unknown', seen: [] });
  expect(kept).not.toContain(id);
});

test('an empty list does not show where records are', async () => {
  const { of } = await check({ only: ['lists'] }, ({ resource }) =>
    resource === 'tags' ? Response.json({ errors: [], items: [] }) : undefined,
  );
  expect(of('shapes.list.records')).toMatchObject({ verdict: 'as decided' });
  expect(of('shapes.list.records')?.gaps).toContainEqual({
    topic: 'shapes.list.records',
    place: 'tags',
    unknown: 'no record exists: tags',
  });
});

test('another code than FORBIDDEN for a read key contradicts the contract', async () => {
  const { of } = await check({ only: ['forbidden'], readKey: 'demo-read-key' }, ({ change }) =>
    change === undefined ? undefined : error(403, 'READ_ONLY'),
  );
  expect(of('write.forbidden')?.verdict).toBe('as decided');
  expect(of('codes.forbidden')).toMatchObject({
    verdict: 'violates',
    seen: [{ fact: 'READ_ONLY' }],
    violations: [{ clause: '7.1.4' }],
  });
});
