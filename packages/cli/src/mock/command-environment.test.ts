import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { getServerSetting } from './command-environment.ts';

test.each([
  [{ server: 'server.yaml' }, {}, { ORGCHAT_SERVER: resolve('server.yaml') }],
  [{}, { ORGCHAT_SERVER: 'server.yaml' }, { ORGCHAT_SERVER: resolve('server.yaml') }],
  [{ server: 'none' }, { ORGCHAT_SERVER: 'server.yaml' }, {}],
  [{}, { ORGCHAT_SERVER: 'none' }, {}],
  [{}, { ORGCHAT_SERVER: '' }, {}],
  [{}, {}, {}],
])('the flags %j and the variables %j give a command with a mock %j', (options, env, setting) => {
  expect(getServerSetting({ options, env })).toEqual(setting);
});
