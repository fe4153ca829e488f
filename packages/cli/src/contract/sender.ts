import { parseRetryAfter } from '@orgchat/sdk/internal';
import { type CodesOption, createFindMeaning, type FindMeaning, resolveCodes } from '@orgchat/spec';
import { getCode } from './answers.ts';
import type { Cleaner } from './clean-scratch.ts';
import type { ContractAnswer, ContractRequest } from './exchange.ts';
import { minuteMs, type RunFile } from './run-file.ts';
import type { Scratch } from './scratch.ts';
import type { ScratchResource } from './scratch-file.ts';

/** Why a run stops before it has asked everything. */
export type StopReason = 'budget' | 'quota' | 'limited' | 'unreachable' | 'interrupted';

/** Ends a run early. What it learned is in the run file. */
export class Stopped extends Error {
  override readonly name = 'Stopped';

  constructor(
    readonly reason: StopReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** How a run reaches a server. */
export interface SenderOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The key of `--read-key-file`. */
  readonly readKey?: string | undefined;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly now: () => number;
  /** Waits; rejects if the run is interrupted. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
  /** Requests per minute. */
  readonly rate: number;
  /** The most requests of this command. */
  readonly budget: number;
  readonly timeoutMs: number;
  /** The codes of the server, as a valid description says. Default: as decided. */
  readonly codes?: CodesOption | undefined;
  /** Called when a 429 makes it wait. */
  readonly onWait?: (ms: number) => void;
}

/** Waits after a 429 that does not say how long. After the last one, the run stops. */
const unsaidWaits = [5_000, 15_000, 40_000] as const;
/** A limit that lasts longer is for another day. */
export const longestWaitMs = 300_000;
/** The part of the monthly quota that is left to others. */
const reserve = 0.05;

/** The requests per month of the organization, and how many of them are used. */
export interface Quota {
  readonly used: number;
  readonly limit: number;
}

const wrongKey = 'orgchat-contract-check-wrong-key';

/** Sends the requests of a run one after the other: each is counted before, and none comes too early. */
export class Sender {
  #quota: Quota | undefined;
  /** Requests of the run when the quota was read. */
  #sentBefore = 0;
  /** Requests that count for the budget. */
  #sent = 0;
  #scratch: Scratch | undefined;
  readonly #findMeaning: FindMeaning;

  constructor(
    private readonly run: RunFile,
    private readonly options: SenderOptions,
  ) {
    const { codes, problem } = resolveCodes(options.codes);
    if (codes === undefined) throw new Error(problem);
    this.#findMeaning = createFindMeaning(codes);
  }

  /** From now on, the quota of the organization is minded. */
  mindQuota(quota: Quota): void {
    this.#quota = quota;
    this.#sentBefore = this.run.state.requests;
  }

  /** From now on, enough of the budget is left to remove what was created. */
  mindScratch(scratch: Scratch): void {
    this.#scratch = scratch;
  }

  /** Stops the run if a probe could not send as many requests. */
  requireRequests(count: number): void {
    this.#require(count, this.#scratch?.getReserved() ?? 0);
  }

  #require(count: number, reserved: number): void {
    const limit = this.#findLimit(count + reserved);
    if (limit !== undefined) throw limit;
  }

  /** Why so many requests may not be sent; undefined if they may. */
  #findLimit(count: number): Stopped | undefined {
    return this.#findBudgetLimit(count) ?? this.#findQuotaLimit(count);
  }

  send(request: ContractRequest): Promise<ContractAnswer> {
    return this.#sendPaced(request, () => this.requireRequests(1));
  }

  /** Stops the run if a record could not be created and removed again. */
  requireCreation(resource: ScratchResource): void {
    this.#require(1, this.#scratch?.getReserved(resource) ?? 0);
  }

  /** What removes something: what is reserved is for it, and no more than the budget and the quota allow. */
  toCleaner(): Cleaner {
    return {
      send: (request) => this.#sendPaced(request, () => this.#require(1, 0)),
      canSend: (count) => this.#findLimit(count) === undefined,
    };
  }

  async #sendPaced(request: ContractRequest, check: () => void): Promise<ContractAnswer> {
    for (let attempt = 0; ; attempt++) {
      check();
      const { answer, retryAfter } = await this.#attempt(request);
      if (answer.status !== 429) return answer;
      if (answer.meaning === 'quotaExceeded')
        throw new Stopped('quota', 'The requests of this month are used up.');
      const waitMs = retryAfter ?? unsaidWaits[attempt];
      if (waitMs === undefined || attempt >= unsaidWaits.length || waitMs > longestWaitMs)
        throw new Stopped('limited', 'The server limits requests (429). Its limit did not end in time.');
      this.options.onWait?.(waitMs);
      await this.#sleep(waitMs);
    }
  }

  /** Sends a request at once. Only the quota is minded. */
  async sendNow(request: ContractRequest): Promise<ContractAnswer> {
    const limit = this.#findQuotaLimit(1 + (this.#scratch?.getReserved() ?? 0));
    if (limit !== undefined) throw limit;
    return (await this.#exchange(request)).answer;
  }

  async #attempt(
    request: ContractRequest,
  ): Promise<{ answer: ContractAnswer; retryAfter: number | undefined }> {
    const { now, rate } = this.options;
    const waitMs = getPacingWait(this.run.sentAt, rate, now());
    if (waitMs > 0) await this.#sleep(waitMs);
    this.#sent++;
    return this.#exchange(request);
  }

  async #exchange(
    request: ContractRequest,
  ): Promise<{ answer: ContractAnswer; retryAfter: number | undefined }> {
    const { now, fetch, signal, timeoutMs } = this.options;
    if (signal.aborted) throw new Stopped('interrupted', 'Interrupted.');
    await this.run.count();
    try {
      const response = await fetch(
        this.#toRequest(request, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])),
      );
      const text = await response.text();
      const { headers } = response;
      return {
        answer: toAnswer(request, response, text, this.#findMeaning),
        retryAfter: parseRetryAfter(headers.get('retry-after'), now(), headers.get('date')),
      };
    } catch (error) {
      if (signal.aborted) throw new Stopped('interrupted', 'Interrupted.', { cause: error });
      throw new Stopped('unreachable', `The server cannot be reached: ${getCause(error)}`, { cause: error });
    }
  }

  #findBudgetLimit(count: number): Stopped | undefined {
    const { budget } = this.options;
    if (this.#sent + count <= budget) return undefined;
    return new Stopped(
      'budget',
      `The command has sent ${this.#sent} of the ${budget} requests that --budget allows, and would need more.`,
    );
  }

  #findQuotaLimit(count: number): Stopped | undefined {
    if (this.#quota === undefined) return undefined;
    const { limit, used } = this.#quota;
    const left = limit - used - (this.run.state.requests - this.#sentBefore);
    if (left - count >= limit * reserve) return undefined;
    return new Stopped('quota', `Less than 5 % of the ${limit} requests of this month are left.`);
  }

  async #sleep(ms: number): Promise<void> {
    try {
      await this.options.sleep(ms);
    } catch (error) {
      throw new Stopped('interrupted', 'Interrupted.', { cause: error });
    }
  }

  #toRequest({ method, path, body, text, language, key }: ContractRequest, signal: AbortSignal): Request {
    const { baseUrl, apiKey, readKey = wrongKey } = this.options;
    const keys = { none: undefined, wrong: wrongKey, read: readKey, own: apiKey };
    const secret = keys[key ?? 'own'];
    const sent = text ?? (body && JSON.stringify(body));
    const headers = new Headers();
    if (secret !== undefined) headers.set('authorization', `Bearer ${secret}`);
    if (language !== undefined) headers.set('accept-language', language);
    if (sent !== undefined) headers.set('content-type', 'application/json');
    return new Request(`${baseUrl}${path}`, {
      method,
      headers,
      redirect: 'manual',
      signal,
      ...(sent !== undefined && { body: sent }),
    });
  }
}

/** How long to wait until fewer than `rate` requests were sent in the last minute. A clock that was set back delays nothing longer. */
function getPacingWait(sentAt: readonly number[], rate: number, now: number): number {
  const first = sentAt.filter((time) => time <= now).at(-rate);
  return first === undefined ? 0 : first + minuteMs - now;
}

function toAnswer(
  request: ContractRequest,
  { status, headers }: Response,
  text: string,
  findMeaning: FindMeaning,
): ContractAnswer {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // A page for people.
  }
  return {
    status,
    json,
    meaning: findMeaning(status, getCode({ json })),
    hasRequestId: headers.has('x-request-id'),
    retryAfter: getRetryAfterForm(headers),
    request: describeRequest(request),
  };
}

const keyWords = { none: 'no key', wrong: 'a wrong key', read: 'a read key' };

/** A request without any value: which fields it had, and what it read. */
function describeRequest({ method, path, body, text, language, key }: ContractRequest): string {
  const fields = Object.entries(body ?? {}).map(([name, value]) => {
    if (name === 'change') return String((value as { readonly action?: unknown }).action);
    return name === 'resource' ? `${value}` : name;
  });
  const details = [
    ...fields,
    ...(text === undefined ? [] : ['malformed JSON']),
    ...(language === undefined ? [] : [`Accept-Language ${language}`]),
    ...(key === undefined ? [] : [keyWords[key]]),
  ];
  return `${method} ${path}${details.length === 0 ? '' : ` (${details.join(', ')})`}`;
}

function getRetryAfterForm(headers: Headers): ContractAnswer['retryAfter'] {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (text === '') return 'none';
  if (/^\d+$/.test(text)) return 'seconds';
  return parseRetryAfter(text, 0) === undefined ? 'other' : 'date';
}

const getCause = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
};
