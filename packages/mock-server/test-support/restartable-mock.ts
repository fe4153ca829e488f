import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../src/index.ts';
import { Caller } from './caller.ts';

/** A mock with a data file that is new for each test. Starting it again closes the one before. */
export class RestartableMock {
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

  /** Closes the mock and removes its file, so that the next start begins with the seed. */
  remove(): void {
    this.close();
    for (const name of readdirSync(this.#folder)) rmSync(join(this.#folder, name));
  }

  close(): void {
    this.#running?.close();
    this.#running = undefined;
  }
}
