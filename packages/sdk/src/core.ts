import createClient from 'openapi-fetch';
import { type Emit, emitter } from './events.ts';
import { createFindMeaning, type FindMeaning } from './generated/resolve-codes.ts';
import type { Journal } from './journal/journal.ts';
import { memoryJournal } from './journal/memory.ts';
import { targetOf } from './operation-id.ts';
import {
  type ClientOptions,
  defaults,
  type Limits,
  limitsOf,
  resolveBaseUrl,
  resolveKey,
  resolveLanguage,
  resolveServerCodes,
} from './options.ts';
import { type Pacer, pacerFor } from './pacing.ts';
import { type Redactor, redactorFor } from './redact.ts';
import type { Wire } from './types.ts';

/**
 * How openapi-fetch sends any of the operations: what it takes is the same for all of them. The answer is read where it
 * arrives, in `fetch`.
 */
export type Transport = (
  method: 'GET' | 'POST',
  path: string,
  init: {
    readonly body: string | ReadableStream | undefined;
    readonly signal: AbortSignal | undefined;
    readonly fetch: (request: Request) => Promise<Response>;
  },
) => Promise<unknown>;

/** What all calls of a client share. The key is in its closures alone, so nothing that prints it can show it. */
export interface Core {
  readonly limits: Limits;
  readonly emit: Emit;
  readonly redactor: Redactor;
  readonly journal: Journal;
  readonly pacer: Pacer | undefined;
  /** What a code that came with a status means, by the option `codes`. */
  readonly findMeaning: FindMeaning;
  /** Made at the first call: it touches Request and Headers, which some runtimes load only then. */
  readonly transport: () => Transport;
  /** The caller's, where one was given. It gets nothing but a Request, so what ends it must be in there. */
  readonly fetch: ClientOptions['fetch'];
  /** What journal entries are bound to. */
  readonly target: () => string;
}

export function createCore(options: ClientOptions): Core {
  const apiKey = resolveKey(options);
  const baseUrl = resolveBaseUrl(options);
  const limits = limitsOf(defaults, options);
  const language = resolveLanguage(options);
  let transport: Transport | undefined;
  let known: string | undefined;
  const target = (): string => {
    known ??= targetOf(baseUrl, apiKey);
    return known;
  };
  return {
    limits,
    findMeaning: createFindMeaning(resolveServerCodes(options)),
    emit: emitter(options.onEvent),
    redactor: redactorFor(apiKey),
    journal: options.journal ?? memoryJournal(),
    pacer: limits.perMinute < Infinity ? pacerFor(target) : undefined,
    transport() {
      transport ??= createClient<Wire>({
        baseUrl,
        bodySerializer: (frozen) => frozen,
        headers: { Authorization: `Bearer ${apiKey}`, 'Accept-Language': language },
        redirect: 'manual',
      }).request as unknown as Transport;
      return transport;
    },
    fetch: options.fetch,
    target,
  };
}
