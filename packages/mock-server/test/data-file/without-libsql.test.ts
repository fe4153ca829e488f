import { afterAll, expect, it, vi } from 'vitest';

/* The server is loaded again without libsql, and later test files of this process load it with libsql. */
afterAll(() => {
  vi.doUnmock('node:module');
  vi.resetModules();
});

it('without libsql, a data file is rejected with advice, and memory works', async () => {
  vi.resetModules();
  vi.doMock('node:module', () => ({
    createRequire: () => () => {
      throw Object.assign(new Error("Cannot find module 'libsql'"), { code: 'MODULE_NOT_FOUND' });
    },
  }));
  const { createMock, DataFileError } = await import('../../src/index.ts');
  expect(() => createMock({ data: '/nowhere/data.db' })).toThrow(DataFileError);
  expect(() => createMock({ data: '/nowhere/data.db' })).toThrow(/npm install libsql/);
  expect(createMock().health()).toEqual({ status: 'ready' });
});
