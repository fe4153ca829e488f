import { probes } from '../src/contract/probes.ts';
import { type CheckOptions, type CheckResult, runCheck } from '../src/contract/run-check.ts';
import { type CleanResult, runClean } from '../src/contract/run-clean.ts';
import type { RunStore } from '../src/contract/run-file.ts';
import type { StartOptions } from '../src/contract/start-run.ts';

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
  #isDead = false;

  async read(name: string): Promise<unknown> {
    const text = this.files.get(name);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async write(name: string, value: object): Promise<void> {
    if (this.#isDead) throw new Error('killed');
    this.files.set(name, JSON.stringify(value));
  }

  toPath(name: string): string {
    return name;
  }

  async check(server: CheckedServer, options: Partial<CheckOptions> = {}): Promise<CheckResult> {
    const result = await runCheck(server, { ...options, ...this.#start(server, options) });
    for (const { topic, violations } of result.verdicts)
      for (const { clause } of violations)
        if (!probes.some(({ topics, clauses }) => topics.includes(topic) && clauses.includes(clause)))
          throw new Error(`No probe of ${topic} says that it asks about clause ${clause}.`);
    return result;
  }

  clean(server: CheckedServer, options: Partial<StartOptions> = {}): Promise<CleanResult> {
    return runClean(server, { ...this.#start(server, options), confirm: async () => {} });
  }

  /**
   * Runs a check until its process is killed: before a request arrives, or after it arrived and before it is answered.
   * Nothing is sent or written after that.
   */
  async checkUntilKilled(
    server: CheckedServer,
    options: Partial<CheckOptions>,
    { requests, hasArrived }: { readonly requests: number; readonly hasArrived: boolean },
  ): Promise<void> {
    let sent = 0;
    const die = (): never => {
      this.#isDead = true;
      throw new TypeError('killed');
    };
    const fetch = async (request: Request): Promise<Response> => {
      if (this.#isDead || (++sent >= requests && !hasArrived)) return die();
      const response = await server.fetch(request);
      return sent >= requests ? die() : response;
    };
    await this.check(server, { ...options, fetch }).catch(() => undefined);
    this.#isDead = false;
  }

  #start(server: CheckedServer, options: Partial<StartOptions>): StartOptions {
    return {
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
    };
  }
}
