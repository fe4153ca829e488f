import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findHidingVariables } from './hiding-variables.ts';
import type { Profile } from './profiles.ts';

const baseUrl = 'https://api.example.com/api/v1';
const journal = 'postgres://shop@db/orgchat?schema=shop';
const server = resolve('server.yaml');
const plain: Profile = { baseUrl, store: 'file' };

test.each<[string, Partial<Profile>, NodeJS.ProcessEnv, readonly string[]]>([
  ['another journal', { journal }, { ORGCHAT_JOURNAL: 'postgres://shop@db/other' }, ['ORGCHAT_JOURNAL']],
  ['the journal in the state directory', { journal }, { ORGCHAT_JOURNAL: 'file' }, ['ORGCHAT_JOURNAL']],
  ['a journal that cannot be used', { journal }, { ORGCHAT_JOURNAL: 'shop' }, ['ORGCHAT_JOURNAL']],
  [
    'the password of the journal',
    { journal },
    { ORGCHAT_JOURNAL: 'postgres://shop:secret@db/orgchat?schema=shop' },
    [],
  ],
  ['a journal, and the profile has none', {}, { ORGCHAT_JOURNAL: journal }, []],
  ['another server file', { server }, { ORGCHAT_SERVER: 'other.yaml' }, ['ORGCHAT_SERVER']],
  ['no server file', { server }, { ORGCHAT_SERVER: 'none' }, ['ORGCHAT_SERVER']],
  ['the same server file', { server }, { ORGCHAT_SERVER: 'server.yaml' }, []],
  ['the same address', {}, { ORGCHAT_BASE_URL: `${baseUrl}/` }, []],
  ['the same address beside a journal', { journal }, { ORGCHAT_BASE_URL: baseUrl }, ['ORGCHAT_BASE_URL']],
  ['an empty value', { journal }, { ORGCHAT_JOURNAL: '', ORGCHAT_API_KEY: '' }, []],
])('a variable with %s', (_what, profile, env, names) => {
  const { overridden, others } = findHidingVariables('shop', { ...plain, ...profile }, env);
  expect([...overridden, ...others]).toEqual(names);
});
