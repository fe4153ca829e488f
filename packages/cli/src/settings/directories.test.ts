import { describe, expect, test } from 'vitest';
import { configDirectory, type PathEnvironment, stateDirectory } from './directories.ts';

const inLinux = (env: NodeJS.ProcessEnv, home: string | undefined = '/home/account'): PathEnvironment => ({
  env,
  platform: 'linux',
  accountHome: () => home,
});
const both = (surroundings: PathEnvironment): string[] => [
  configDirectory(surroundings),
  stateDirectory(surroundings),
];

describe('on Linux', () => {
  test.each<[string, NodeJS.ProcessEnv, string, string]>([
    ['HOME', { HOME: '/h' }, '/h/.config/orgchat', '/h/.local/state/orgchat'],
    ['XDG', { HOME: '/h', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' }, '/c/orgchat', '/s/orgchat'],
    ['our own', { ORGCHAT_CONFIG_DIR: '/c', ORGCHAT_STATE_DIR: '/s', HOME: '/h' }, '/c', '/s'],
  ])('%s decides', (_name, env, config, state) => {
    expect(both(inLinux(env))).toEqual([config, state]);
  });

  test.each<[string, NodeJS.ProcessEnv]>([
    ['nothing', {}],
    ['empty variables of our own', { ORGCHAT_CONFIG_DIR: '', ORGCHAT_STATE_DIR: '' }],
    ['an empty HOME', { HOME: '' }],
    ['a relative HOME', { HOME: '.' }],
    ['empty XDG variables', { XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' }],
    ['relative XDG variables', { XDG_CONFIG_HOME: '.config', XDG_STATE_HOME: 'state' }],
  ])('with %s it is the home of the account', (_name, env) => {
    expect(both(inLinux(env))).toEqual([
      '/home/account/.config/orgchat',
      '/home/account/.local/state/orgchat',
    ]);
  });

  test.each([undefined, '', 'relative'])('with HOME="" and the account at %s there is none', (home) => {
    const nowhere = { env: { HOME: '' }, platform: 'linux', accountHome: () => home } as const;
    for (const find of [configDirectory, stateDirectory])
      expect(() => find(nowhere)).toThrow(expect.objectContaining({ code: 'NO_HOME', exit: 3 }));
    expect(both({ ...nowhere, env: { ORGCHAT_CONFIG_DIR: '/c', ORGCHAT_STATE_DIR: '/s' } })).toEqual([
      '/c',
      '/s',
    ]);
  });
});

test.each(['.', 'state', './state', '../state', '~/state'])(
  'a relative %s of our own is refused',
  (given) => {
    const refused = expect.objectContaining({ code: 'RELATIVE_DIRECTORY', exit: 3 });
    expect(() => stateDirectory(inLinux({ HOME: '/h', ORGCHAT_STATE_DIR: given }))).toThrow(refused);
    expect(() => configDirectory(inLinux({ HOME: '/h', ORGCHAT_CONFIG_DIR: given }))).toThrow(refused);
  },
);

test.each<[NodeJS.Platform, NodeJS.ProcessEnv, string, string]>([
  [
    'darwin',
    { HOME: '/Users/me', XDG_CONFIG_HOME: '/c' },
    '/Users/me/Library/Preferences/orgchat',
    '/Users/me/Library/Application Support/orgchat',
  ],
  [
    'win32',
    { USERPROFILE: 'C:\\me', APPDATA: 'roaming', LOCALAPPDATA: 'D:\\local' },
    'C:\\me\\AppData\\Roaming\\orgchat\\Config',
    'D:\\local\\orgchat\\Data',
  ],
  ['freebsd', { HOME: '/h' }, '/h/.config/orgchat', '/h/.local/share/orgchat'],
])('on %s they are where they belong', (platform, env, config, state) => {
  expect(both({ env, platform, accountHome: () => undefined })).toEqual([config, state]);
});
