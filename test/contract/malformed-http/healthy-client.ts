import { createHash } from 'node:crypto';
import { demoKeys } from '@orgchat/mock-server';
import type { Json } from '../../models/reference-model/resources.ts';
import { type Answer, type ApiRequest, Connection } from '../../scale/load/connection.ts';
import { Control } from '../../scale/load/control.ts';

const post = (path: string, body: Json): ApiRequest => ({
  method: 'POST',
  path,
  key: demoKeys.write,
  body: JSON.stringify(body),
});

/** Requests whose responses depend only on the state. */
const questions: readonly ApiRequest[] = [
  post('/chat/changes', {
    operationId: '77777777-7777-4777-8777-777777777777',
    change: { action: 'create-tags', data: { name: 'HealthyClient', color: 'blue' } },
  }),
  post('/chat/read', { resource: 'tags' }),
  post('/chat/read', { resource: 'friends' }),
  post('/studio/read', { resource: 'projects' }),
];

/** A well-behaved client that repeats the same requests over its own connections. */
export class HealthyClient {
  readonly #baseUrl: string;
  readonly #control: Control;
  readonly #connection = new Connection();
  readonly #known = new Map<ApiRequest, string>();
  #asked = 0;

  constructor(addresses: { readonly baseUrl: string; readonly controlUrl: string }) {
    this.#baseUrl = addresses.baseUrl;
    this.#control = new Control(addresses.controlUrl);
  }

  /** Records the expected responses. */
  async learn(): Promise<void> {
    for (const question of questions) {
      // A change is sent twice: the second response, a replay, stays the same.
      await this.#ask(question);
      this.#known.set(question, await this.#ask(question));
    }
  }

  /** Sends the next request. Returns what is wrong with the response. */
  async verify(): Promise<string | undefined> {
    const question = questions[this.#asked++ % questions.length] as ApiRequest;
    const answer = await this.#ask(question);
    return answer === this.#known.get(question)
      ? undefined
      : `the healthy client got ${answer.slice(0, 500)}`;
  }

  async #ask(question: ApiRequest): Promise<string> {
    const answer: Answer | undefined = await this.#connection.send(this.#baseUrl, question);
    return answer === undefined ? 'nothing' : `${answer.status} ${answer.text}`;
  }

  /** A hash of the state without time and usage, which every request changes. */
  async digest(): Promise<string> {
    const {
      clock: _,
      savedAt: __,
      windows: ___,
      organizations,
      ...state
    } = await this.#control.call('GET', '/state');
    const unused = (organizations as Json[]).map(({ usage: _, ...organization }) => organization);
    const faults = await this.#control.call('GET', '/faults');
    const all = JSON.stringify([state, unused, faults]);
    return createHash('sha256').update(all).digest('hex');
  }

  close(): void {
    this.#connection.close();
    this.#control.close();
  }
}
