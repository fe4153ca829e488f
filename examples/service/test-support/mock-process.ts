import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { FaultInput } from '@orgchat/mock-server';
import type { MockOrder, MockReport, Moment } from './messages.ts';

type Report = Extract<MockReport, { kind: 'report' }>;

/** The mock in a process of its own. */
export class MockProcess {
  readonly #child: ChildProcess;
  readonly baseUrl: string;

  private constructor(child: ChildProcess, baseUrl: string) {
    this.#child = child;
    this.baseUrl = baseUrl;
  }

  static async start(program: string): Promise<MockProcess> {
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const ended = once(child, 'exit').then(() => []);
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [MockReport?];
    if (message?.kind !== 'listening') throw new Error('The mock ended before it listened');
    return new MockProcess(child, message.baseUrl);
  }

  /** Orders are answered in turn, so the next report answers this one if callers wait for it. */
  async #order(order: MockOrder): Promise<MockReport> {
    const answer = once(this.#child, 'message');
    this.#child.send(order);
    const [message] = (await answer) as [MockReport];
    return message;
  }

  /** Kills a process at a moment of a request, after `after` others. Resolves once that is prepared. */
  async killAt(pid: number, moment: Moment, after: number): Promise<void> {
    await this.#order({ kind: 'kill', pid, moment, after });
  }

  /** Calls off a kill that has not happened. */
  async spare(): Promise<void> {
    await this.#order({ kind: 'spare' });
  }

  async arm(fault: FaultInput): Promise<void> {
    await this.#order({ kind: 'fault', fault });
  }

  async report(): Promise<Report> {
    return (await this.#order({ kind: 'report' })) as Report;
  }

  async end(): Promise<void> {
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}
