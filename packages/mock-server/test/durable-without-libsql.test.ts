import { expect, it, vi } from 'vitest';
import { createMock, DataFileError } from '../src/index.ts';

vi.mock('node:module', () => ({
  createRequire: () => () => {
    throw Object.assign(new Error("Cannot find module 'libsql'"), { code: 'MODULE_NOT_FOUND' });
  },
}));

it('a data file without libsql is refused with the way out; memory needs none', () => {
  expect(() => createMock({ data: '/nowhere/data.db' })).toThrow(DataFileError);
  expect(() => createMock({ data: '/nowhere/data.db' })).toThrow(/npm install libsql/);
  expect(createMock().health()).toEqual({ status: 'ready' });
});
