import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JournalFailureReason, OrgChatError } from '@orgchat/sdk';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fromSdkError } from './from-sdk-error.ts';

const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const name = `${operationId}.0123456789abcdef.json`;
let state: string;
let file: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'orgchat-journal-'));
  file = join(state, 'journal', name);
  mkdirSync(join(state, 'journal'));
  vi.stubEnv('ORGCHAT_STATE_DIR', state);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(state, { recursive: true, force: true });
});

/** The error for what the journal threw. */
function told(cause: Error, reason: JournalFailureReason = 'journal-unavailable') {
  const error = new OrgChatError('journal failed; nothing was sent', {
    code: 'JOURNAL_FAILED',
    reason,
    operationId,
    cause,
  });
  const { code, message, hint } = fromSdkError(error) ?? {};
  return { code, message, hint };
}

/** As the system refuses a call. */
const refused = (code: string, rest: string): Error => Object.assign(new Error(`${code}: ${rest}`), { code });

describe('an entry that is there', () => {
  beforeEach(() => writeFileSync(file, '{'));

  test.each([
    [
      'of another user',
      refused('EACCES', "permission denied, open '/its/place'"),
      'EACCES: permission denied',
    ],
    ['on a broken disk', refused('EIO', 'i/o error, read'), 'EIO: i/o error'],
    [
      'below which nothing can be written',
      refused('EROFS', 'read-only file system, open'),
      'EROFS: read-only',
    ],
  ])('%s is named, and no other folder is offered', (_name, cause, word) => {
    const { code, message, hint } = told(cause);
    expect(code).toBe('JOURNAL_FAILED');
    expect(message).toContain(`nothing was sent: ${word}`);
    expect(hint).toContain(`in ${file}. Make the file readable and writable`);
    expect(hint).not.toContain('ORGCHAT_STATE_DIR');
  });

  test('that is unreliable is to be checked and moved away', () => {
    const { message, hint } = told(
      new Error(`${name}: the file is truncated or corrupted; move it away`),
      'journal-entry-unusable',
    );
    expect(message).toContain(`${name}: the file is truncated or corrupted`);
    expect(hint).toBe(`Check the outcome of that operation, then move its file out of the journal: ${file}`);
  });

  test('that is unreliable is to be moved away, whatever the directory is called', () => {
    const { hint } = told(
      new Error(`/another process/${name}: the file is truncated or corrupted; move it away`),
      'journal-entry-unusable',
    );
    expect(hint).toContain('then move its file out of the journal');
  });

  test('and is another process’s at this moment is waited for, not moved away', () => {
    const { hint } = told(new Error(`${name}: another process is at work on it`), 'journal-busy');
    expect(hint).toBe('Wait for that process, then try again.');
  });
});

test('an entry that is settled is named in the folder of its day', () => {
  const day = join(state, 'journal', 'settled', '2026-11-22');
  mkdirSync(day, { recursive: true });
  writeFileSync(join(day, name), '{');
  const { hint } = told(refused('EIO', 'i/o error, read'));
  expect(hint).toContain(`in ${join(day, name)}. Make the file readable and writable`);
});

test('another directory is suggested if this one has no entry of the operation', () => {
  writeFileSync(join(state, 'journal', name.replace('6f1c', '7f1c')), '{}');
  expect(told(refused('EACCES', 'permission denied, open')).hint).toContain(
    'Set ORGCHAT_STATE_DIR to a writable directory',
  );
  expect(told(refused('ENOSPC', 'no space left on device, write')).hint).toContain('Set ORGCHAT_STATE_DIR');
  rmSync(join(state, 'journal'), { recursive: true });
  expect(told(refused('EACCES', 'permission denied, mkdir')).hint).toContain('Set ORGCHAT_STATE_DIR');
});

test('an unreadable directory is not reported as empty', () => {
  rmSync(join(state, 'journal'), { recursive: true });
  writeFileSync(join(state, 'journal'), '');
  const { hint } = told(refused('ENOTDIR', 'not a directory, open'));
  expect(hint).toContain(`Make ${join(state, 'journal')} readable and writable`);
  expect(hint).toContain('Do not switch to another ORGCHAT_STATE_DIR');
});
