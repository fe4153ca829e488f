import { expect, it } from 'vitest';
import type { PlainRequest } from '../http/message.ts';
import { createMock } from '../index.ts';
import { Trace } from '../request-log/trace.ts';
import type { ServedMock } from '../served-mock.ts';
import { RequestContext } from './context.ts';

const request: PlainRequest = {
  method: 'GET',
  path: '/api/v1/me',
  query: '',
  origin: () => 'http://mock.test',
  header: () => undefined,
  headers: [],
  body: '',
};

it.each(['route', 'caller', 'command', 'claim', 'response'] as const)(
  'says that the %s was read before the step that finds it',
  (name) => {
    const { world } = createMock() as ServedMock;
    const context = new RequestContext(
      world,
      request,
      '/me',
      new Trace(1, 'request-1', 0, request, [], '/me'),
      undefined,
      0,
      0,
    );
    expect(() => context[name]).toThrow(
      `The ${name} of the request is not known yet: the steps of the pipeline are in a wrong order.`,
    );
    expect(context.isClaimOpen).toBe(false);
  },
);
