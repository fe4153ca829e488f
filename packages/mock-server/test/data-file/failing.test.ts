import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DataFile } from '../../src/data-file/data-file.ts';
import { DataFileError } from '../../src/data-file/data-file-error.ts';
import { readDataFile } from '../../src/data-file/read-data-file.ts';
import { createMock } from '../../src/index.ts';
import { data } from '../../test-support/data.ts';
import { RestartableMock } from '../../test-support/restartable-mock.ts';

const tagChange = { action: 'create-tags', data: data.tags };
const file = new RestartableMock();

afterEach(() => vi.restoreAllMocks());

/** Makes every write fail, as on a full disk. Returns a function that ends it. */
function fillDisk(): () => void {
  const fail = (): never => {
    throw new DataFileError(`${file.path} cannot be written: the disk is full.`);
  };
  const spies = [
    vi.spyOn(DataFile.prototype, 'append').mockImplementation(fail),
    vi.spyOn(DataFile.prototype, 'appendNow').mockImplementation(fail),
    vi.spyOn(DataFile.prototype, 'replace').mockImplementation(fail),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}

describe('a data file that can no longer be written', () => {
  it('is reported in every answer and once to onError, and no confirmed change is lost', async () => {
    const errors: unknown[] = [];
    const options = { onError: (error: unknown) => void errors.push(error) };
    const { mock, caller } = file.start(options);
    const confirmed = crypto.randomUUID();
    const made = await caller.change(confirmed, tagChange);
    const free = fillDisk();
    const lost = crypto.randomUUID();
    for (const answer of [
      await caller.change(lost, tagChange),
      await caller.read({ resource: 'tags' }),
      await caller.me(),
    ]) {
      expect(answer).toMatchObject({
        status: 500,
        body: { error: 'INTERNAL_ERROR', message: expect.stringMatching(/not confirmed.*the disk is full/) },
      });
      expect(answer.headers.get('x-request-id')).toBeTruthy();
    }
    const japanese = await caller.me({ headers: { 'Accept-Language': 'ja' } });
    expect(japanese.body.message).toContain('結果を確認できません');
    expect(errors).toEqual([expect.any(DataFileError)]);
    expect(mock.requests.list().slice(1, 3)).toMatchObject([
      { operationId: lost, status: 500, error: 'INTERNAL_ERROR' },
      { resource: 'tags', status: 500 },
    ]);
    free();
    expect((await caller.change(lost, tagChange)).body.replayed).toBe(true);
    expect((await caller.read({ resource: 'tags' })).body.total).toBe(5);
    const again = file.start();
    expect((await again.caller.change(confirmed, tagChange)).body).toEqual({ ...made.body, replayed: true });
    expect((await again.caller.change(lost, tagChange)).body.replayed).toBe(true);
    expect((await again.caller.read({ resource: 'tags' })).body.total).toBe(5);
  });

  it('is reported again when it happens again', async () => {
    const errors: unknown[] = [];
    const { caller } = file.start({ onError: (error: unknown) => void errors.push(error) });
    for (let n = 0; n < 2; n++) {
      const free = fillDisk();
      await caller.me();
      await caller.me();
      free();
      expect((await caller.me()).status).toBe(200);
    }
    expect(errors).toHaveLength(2);
  });

  it('keeps the state and its history if a rewind cannot be written', async () => {
    const { mock, caller } = file.start({ onError: () => {}, history: 5 });
    await caller.apply(tagChange);
    await caller.apply(tagChange);
    const free = fillDisk();
    const rewind = () => mock.fetch(`${mock.controlUrl}/rewind`, { method: 'POST', body: '{"requestId":1}' });
    expect((await rewind()).status).toBe(500);
    free();
    expect((await caller.read({ resource: 'tags' })).body.total).toBe(5);
    expect(mock.requests.list().map(({ action }) => action)).not.toContain('rewind');
    expect((await rewind()).status).toBe(200);
    await caller.apply(tagChange);
    expect((await file.start().caller.read({ resource: 'tags' })).body.total).toBe(4);
  });

  it('keeps the old state if a reset or restore cannot be written', async () => {
    const { mock, caller } = file.start({ onError: () => {} });
    const state = mock.state();
    await caller.apply(tagChange);
    const free = fillDisk();
    for (const [method, path, body] of [
      ['POST', '/reset', undefined],
      ['PUT', '/state', JSON.stringify(state)],
    ] as const) {
      const answer = await mock.fetch(`${mock.controlUrl}${path}`, {
        method,
        ...(body !== undefined && { body }),
      });
      expect(answer.status).toBe(500);
      expect(await answer.json()).toMatchObject({ message: expect.stringContaining('the disk is full') });
    }
    expect(() => mock.reset()).toThrow(DataFileError);
    free();
    await caller.apply(tagChange);
    expect((await caller.read({ resource: 'tags' })).body.total).toBe(5);
    expect((await file.start().caller.read({ resource: 'tags' })).body.total).toBe(5);
  });

  it('lets a delayed change be sent again', async () => {
    const { mock, caller } = file.start({ onError: () => {}, sleep: () => Promise.resolve() });
    mock.faults.arm({ effect: 'delay', delayMs: 1, action: 'create-tags' });
    const free = fillDisk();
    const id = crypto.randomUUID();
    expect((await caller.change(id, tagChange)).status).toBe(500);
    free();
    expect((await caller.change(id, tagChange)).body.replayed).toBe(true);
  });

  it('is closed anyway, with an error if something was not written', () => {
    const { mock } = file.start();
    const free = fillDisk();
    mock.patchOrganization({ studio: false });
    expect(() => mock.close()).toThrow(DataFileError);
    free();
    expect(() => file.start()).not.toThrow();
  });
});

describe('a data file that cannot be created', () => {
  it('is rejected with the reason, and creates nothing', () => {
    const folder = dirname(file.path);
    mkdirSync(file.path);
    expect(() => createMock({ data: file.path })).toThrow(/data\.db is a directory\. Choose a file in it/);
    const missing = join(folder, 'nowhere', 'data.db');
    expect(() => createMock({ data: missing })).toThrow(
      /cannot be created: the directory .*nowhere does not exist/,
    );
    expect(() => createMock({ data: '/dev/full' })).toThrow(/the disk is full\. Free some space/);
    expect(readdirSync(folder)).toEqual(['data.db']);
  });

  it('is released if it cannot be filled, so that another start can use it', () => {
    const free = fillDisk();
    expect(() => createMock({ data: file.path })).toThrow(DataFileError);
    free();
    expect(file.start().mock.isContinued).toBe(false);
  });
});

describe('a data file', () => {
  it('can be read only by its owner', async () => {
    const { caller } = file.start();
    await caller.apply(tagChange);
    const folder = dirname(file.path);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('reports whether it had data, so that the seed was not used', async () => {
    const seed = { organizations: [{ id: 'org_own' }] };
    expect(file.start({ seed }).mock.isContinued).toBe(false);
    const { mock } = file.start();
    expect([mock.isContinued, mock.sandbox().isContinued]).toEqual([true, false]);
    expect(createMock().isContinued).toBe(false);
  });

  it('of another version is rejected with both versions', () => {
    for (const piece of [
      ['settings', 'org_demo', '', { plan: 5 }],
      ['organization', 'org_demo', '', { id: 'org_demo' }],
    ]) {
      file.start();
      file.close();
      const log = DataFile.open(
        file.path,
        readDataFile(file.path, () => {}),
      );
      log.appendNow(JSON.stringify([piece]));
      log.close();
      expect(() => file.start()).toThrow(DataFileError);
      expect(() => file.start()).toThrow(/cannot read .*not modified/);
      rmSync(file.path);
    }
  });
});
