import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CliError } from '../errors/cli-error.ts';
import { journalOption, parseJournal, resolveJournal } from './journal-setting.ts';
import { describeSource, type SettingSource } from './setting-source.ts';

const journalVariable: SettingSource = { kind: 'variable', name: 'ORGCHAT_JOURNAL' };

/** What was thrown, with everything that could be shown of it. */
function refusal(text: string, source: SettingSource): CliError {
  try {
    parseJournal(text, source);
  } catch (error) {
    if (error instanceof CliError) return error;
  }
  throw new Error('it was accepted');
}

describe('a URL', () => {
  test('is shown without password and parameters', () => {
    const url = 'postgres://ci:s%23cret@db.example.com:5433/orgchat?sslmode=require';
    expect(parseJournal(url, journalVariable)).toEqual({
      engine: 'postgres',
      url,
      name: 'postgres://ci@db.example.com:5433/orgchat',
      source: journalVariable,
      namespace: undefined,
    });
  });

  test('may name the schema of the tables, which the driver does not get', () => {
    expect(parseJournal('postgresql://db/orgchat?schema=staging&sslmode=require', journalOption)).toEqual({
      engine: 'postgres',
      url: 'postgresql://db/orgchat?sslmode=require',
      name: 'postgresql://db/orgchat?schema=staging',
      source: journalOption,
      namespace: 'staging',
    });
    expect(parseJournal('rediss://:geheim@cache:6380/2?prefix=staging', journalVariable)).toEqual({
      engine: 'redis',
      url: 'rediss://:geheim@cache:6380/2',
      name: 'rediss://cache:6380/2?prefix=staging',
      source: journalVariable,
      namespace: 'staging',
    });
  });

  test('"file" is the journal in the state directory', () => {
    expect(parseJournal('file', journalOption)).toBeUndefined();
  });

  test.each([
    ['postgres://ci:geheim@db/orgchat'],
    ['postgres://ci@db/orgchat?password=geheim'],
    ['postgres://ci@db/orgchat?Password=geheim&sslmode=require'],
    ['postgres://:geheim@db/orgchat'],
    ['redis://:geheim@cache'],
    ['rediss://ci:geheim@cache:6380/1'],
  ])('with a password is refused as an argument, and not shown: %s', (url) => {
    const error = refusal(url, journalOption);
    expect([error.code, error.exit]).toEqual(['PASSWORD_IN_ARGUMENTS', 3]);
    expect(JSON.stringify(error.toDocument())).not.toContain('geheim');
    expect(parseJournal(url, journalVariable)?.name).not.toContain('geheim');
  });

  test.each([
    ['mysql://ci:geheim@db/orgchat', 'must begin with postgres:// or redis://'],
    ['postgress://ci:geheim@db/orgchat2', 'must begin with postgres:// or redis://'],
    ['postgres://ci:gehe#im@db:x/orgchat', 'is not a valid URL'],
    ['postgres://ci:geheim@db:x/orgchat', 'is not a valid URL'],
    ['/var/geheim', 'is not a valid URL'],
    ['Files', 'is not a valid URL'],
  ])('that cannot be used is refused, and not shown: %s', (url, problem) => {
    for (const source of [journalOption, journalVariable]) {
      const error = refusal(url, source);
      expect([error.code, error.exit]).toEqual(['INVALID_JOURNAL', 3]);
      expect(error.message).toContain(`${describeSource(source)} ${problem}`);
      expect(JSON.stringify(error.toDocument())).not.toMatch(/gehe/);
    }
  });
});

describe('the journal of a run', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'orgchat-profiles-'));
    mkdirSync(folder, { recursive: true });
    const profile = { baseUrl: 'https://api.example.com/api/v1', store: 'file' };
    const profiles = { shared: { ...profile, journal: 'postgres://db/profile' }, plain: profile };
    writeFileSync(join(folder, 'profiles.json'), JSON.stringify({ current: 'shared', profiles }));
    vi.stubEnv('ORGCHAT_CONFIG_DIR', folder);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  const sharedProfile: SettingSource = { kind: 'profile', name: 'shared' };
  const journal = 'postgres://db/option';
  const ORGCHAT_JOURNAL = 'postgres://db/variable';
  const ORGCHAT_BASE_URL = 'https://other.example.com/api/v1';

  test.each([
    ['the option', { journal }, { ORGCHAT_JOURNAL }, 'postgres://db/option', journalOption],
    ['the variable', {}, { ORGCHAT_JOURNAL }, 'postgres://db/variable', journalVariable],
    [
      'the variable over a named profile',
      { profile: 'shared' },
      { ORGCHAT_JOURNAL },
      'postgres://db/variable',
      journalVariable,
    ],
    ['the current profile', {}, {}, 'postgres://db/profile', sharedProfile],
    [
      'the profile, if the variable is empty',
      {},
      { ORGCHAT_JOURNAL: '' },
      'postgres://db/profile',
      sharedProfile,
    ],
    ['a named profile', { profile: 'shared' }, { ORGCHAT_BASE_URL }, 'postgres://db/profile', sharedProfile],
  ])('comes from %s', async (_name, options, env, name, source) => {
    expect(await resolveJournal(options, env)).toMatchObject({ name, source });
  });

  test.each([
    ['the option is "file"', { journal: 'file' }, { ORGCHAT_JOURNAL }],
    ['the variable is "file"', {}, { ORGCHAT_JOURNAL: 'file' }],
    ['the profile has none', { profile: 'plain' }, {}],
    ['the server is not that of the profile', {}, { ORGCHAT_BASE_URL }],
    ['the base URL is an option', { baseUrl: ORGCHAT_BASE_URL }, {}],
  ])('is in the state directory if %s', async (_name, options, env) => {
    expect(await resolveJournal(options, env)).toBeUndefined();
  });
});
