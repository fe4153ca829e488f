import { expect, it } from 'vitest';
import { Caller } from '../../test-support/caller.ts';
import { data } from '../../test-support/data.ts';
import { createMock } from '../index.ts';
import { formatRequestLog } from './format-request-log.ts';

it('has a line per request, and a second one that says why if it did not succeed', async () => {
  const mock = createMock();
  const caller = new Caller(mock);
  const change = { action: 'create-tags', data: data.tags };
  await caller.apply(change);
  await caller.as('demo-read-key').apply(change);
  mock.faults.arm({ effect: 'lose-response' });
  await expect(caller.apply(change)).rejects.toThrow('fetch failed');
  expect(formatRequestLog(mock).split('\n')).toEqual([
    'Requests that the mock received:',
    '  req-00000001 create-tags 200, applied',
    '  req-00000002 create-tags 403 FORBIDDEN',
    expect.stringMatching(/^ {4}Key "Demo read key" has scope read, .*"Demo write key"/),
    '  req-00000003 create-tags 200, applied, lose-response',
    expect.stringMatching(/^ {4}The lose-response fault \(fault-1\) reset the connection/),
  ]);
});
