import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../src/index.ts';
import { Caller } from './caller.ts';

/** The path of a data file, new for each test, and of mocks one that has it open: the newest. */
export class DataFile {
  #folder = '';
  #running: Mock | undefined;

  constructor() {
    beforeEach(() => {
      this.#folder = mkdtempSync(join(tmpdir(), 'orgchat-mock-'));
    });
    afterEach(() => {
      this.close();
      rmSync(this.#folder, { recursive: true });
    });
  }

  get path(): string {
    return join(this.#folder, 'data.db');
  }

  start(options: MockOptions = {}): { mock: Mock; caller: Caller } {
    this.close();
    const mock = createMock({ data: this.path, rateLimit: 'off', ...options });
    this.#running = mock;
    return { mock, caller: new Caller(mock) };
  }

  close(): void {
    this.#running?.close();
    this.#running = undefined;
  }
}
