import { type CheckOptions, type CheckResult, runCheck } from '../src/contract/run-check.ts';
import type { RunStore } from '../src/contract/run-file.ts';

/** A server to check, in this process. */
export interface CheckedServer {
  readonly baseUrl: string;
  readonly apiKey: string;
  fetch(request: Request): Promise<Response>;
}

/** Runs checks with a memory of their own, and with a clock that waits move. */
export class CheckHarness implements RunStore {
  /** The runs as they would be in files. */
  readonly files = new Map<string, string>();
  now = Date.UTC(2026, 0, 1);
  /** When each request arrived, in milliseconds since 1970. */
  readonly arrivals: number[] = [];

  async read(name: string): Promise<unknown> {
    const text = this.files.get(name);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async write(name: string, value: object): Promise<void> {
    this.files.set(name, JSON.stringify(value));
  }

  toPath(name: string): string {
    return name;
  }

  check(server: CheckedServer, options: Partial<CheckOptions> = {}): Promise<CheckResult> {
    return runCheck(server, {
      store: this,
      now: () => this.now,
      sleep: async (ms) => {
        this.now += ms;
      },
      signal: new AbortController().signal,
      rate: 40,
      budget: 100,
      timeoutMs: 10_000,
      ...options,
      fetch: (request) => {
        this.arrivals.push(this.now);
        return (options.fetch ?? server.fetch)(request);
      },
    });
  }
}
