import type { OperationName } from '../generated/public-types.ts';
import type { PlainRequest } from '../http/message.ts';
import { memoize } from '../memoize.ts';
import type { StoredAnswer } from '../operations/lifecycle.ts';
import { toIsoString } from '../primitives/clock.ts';
import { abbreviate, truncate } from '../primitives/kept-text.ts';
import { byteLength } from '../primitives/platform.ts';
import { type Key, maskKey } from '../records/key.ts';
import type { DecidedBy, Decision, FaultHit } from '../why/cause.ts';
import { explain } from '../why/explain.ts';
import { findHeader } from './headers.ts';
import { type KeptBody, type LoggedBody, toLoggedBody } from './logged-body.ts';
import { findRecordName } from './record-name.ts';

/** A request in the request log. */
export interface RequestLogEntry {
  readonly id: number;
  readonly requestId: string;
  readonly receivedAt: string;
  readonly method: string;
  readonly path: string;
  readonly operation: OperationName | null;
  readonly action: string | null;
  /** The resource that the request reads or changes. */
  readonly resource: string | null;
  readonly operationId: string | null;
  /** The masked key; null if none was sent. */
  readonly key: string | null;
  readonly keyName: string | null;
  /** Whether a whole answer was sent. */
  readonly answered: boolean;
  /** The status that was sent, or that the lost answer had; null if there was none. */
  readonly status: number | null;
  /** The error code of an error; null for a success. */
  readonly error: string | null;
  /** Whether this request, not an earlier one, changed something. */
  readonly applied: boolean;
  /** The request whose stored answer this request got again. */
  readonly replayOf: string | null;
  readonly recordId: string | null;
  /**
   * The name of the record that it creates, reads or changes: of a friend the display name, of a keyword write the
   * keywords. Null if it is not about one record, or if nobody knows its name.
   */
  readonly recordName: string | null;
  readonly revisionBefore: string | null;
  readonly revisionAfter: string | null;
  /** The effects of the faults that hit it. */
  readonly faults: readonly string[];
  /** Of a rewind, whose action is `rewind`: the requestId of the request that the state went back to. Null otherwise. */
  readonly rewoundTo: string | null;
  /** Why it ended as it did, and for a refusal what would have passed. Made when it is read. */
  readonly decidedBy: DecidedBy;
}

/** What a request seems to ask for before it is validated. */
type Unvalidated = Readonly<Record<'action' | 'resource' | 'operationId', string | undefined>>;

/** The key of a request, and whose it is. */
type Sender = Pick<Key, 'key' | 'name' | 'organizationId'>;

/** What the log knows of a change or a keyword write. */
class ChangeNotes {
  action: string | undefined;
  operationId: string | undefined;
  /** The site that the path names. */
  siteId: string | undefined;
  /** The request whose stored answer it got again. */
  replayOf: string | undefined;
  recordId: string | undefined;
  recordName: string | undefined;
  revisionBefore: string | undefined;
  revisionAfter: string | undefined;
  /** Whether the history kept the state before its first change. */
  isKept = false;
}

/** What the log knows of a request that did not simply succeed. */
class RareNotes {
  error: string | undefined;
  faultHits: readonly FaultHit[] | undefined;
  rewoundTo: string | undefined;
  /** Whether a call of the control API made the entry: a rewind, an injection or an edit. */
  isControlCall = false;
  /** Whether the log has counted it as refused. */
  isCountedAsRefused = false;
  /** What decided; undefined while it is not known, and for a success that needs no words. */
  decision: Decision | undefined;
}

/** The log entry of a request in progress; the steps of the pipeline add what they find. */
export class Trace {
  readonly id: number;
  readonly requestId: string;
  readonly receivedAt: number;
  readonly method: string;
  /** Below the base URL; abbreviated if it is long, and not one of the mock. */
  path: string;
  operation: OperationName | undefined;
  resource: string | undefined;
  /** The key as it was sent, before it is known to exist. */
  sentKey: string | undefined;
  /** The key that exists, with its name and organization. */
  sender: Sender | undefined;
  answered = false;
  status: number | undefined;
  applied = false;
  /** Microseconds from the arrival to the answer, with the delay of a fault; 0 for a request in progress. */
  durationUs = 0;
  /** What only changes have, and what only a few requests have. Most requests are smaller without. */
  #change: ChangeNotes | undefined;
  #rare: RareNotes | undefined;
  readonly query: string;
  /** Names and values in turn. */
  readonly requestHeaders: readonly string[];
  /** The size of the body in bytes, even if the body was not kept. */
  readonly requestBytes: number;
  requestBody: KeptBody | undefined;
  responseBytes = 0;
  /** The body, or the stored answer of a change, which the mock keeps anyway and the body is made from. */
  responseBody: KeptBody | StoredAnswer | undefined;

  constructor(
    id: number,
    requestId: string,
    receivedAt: number,
    request: Pick<PlainRequest, 'method' | 'query' | 'body'>,
    headers: readonly string[],
    path: string,
  ) {
    this.id = id;
    this.requestId = requestId;
    this.receivedAt = receivedAt;
    this.method = truncate(request.method);
    this.path = abbreviate(path);
    this.query = request.query === '' ? '' : truncate(request.query);
    this.requestHeaders = headers;
    const { body } = request;
    this.requestBytes = typeof body === 'string' ? byteLength(body) : body.byteLength;
  }

  /** What the log knows of a change. Created if it is not there yet. */
  get change(): ChangeNotes {
    this.#change ??= new ChangeNotes();
    return this.#change;
  }

  /** What the log knows of a request that did not simply succeed. Created if it is not there yet. */
  get rare(): RareNotes {
    this.#rare ??= new RareNotes();
    return this.#rare;
  }

  get key(): string | undefined {
    return this.sender?.key ?? this.sentKey;
  }

  get keyName(): string | undefined {
    return this.sender?.name;
  }

  get organizationId(): string | undefined {
    return this.sender?.organizationId;
  }

  get action(): string | undefined {
    return this.#change?.action;
  }

  get operationId(): string | undefined {
    return this.#change?.operationId;
  }

  /** The site that the path names. */
  get siteId(): string | undefined {
    return this.#change?.siteId;
  }

  get replayOf(): string | undefined {
    return this.#change?.replayOf;
  }

  get recordId(): string | undefined {
    return this.#change?.recordId;
  }

  get recordName(): string | undefined {
    return this.#change?.recordName;
  }

  get revisionBefore(): string | undefined {
    return this.#change?.revisionBefore;
  }

  get revisionAfter(): string | undefined {
    return this.#change?.revisionAfter;
  }

  get isKept(): boolean {
    return this.#change?.isKept === true;
  }

  get error(): string | undefined {
    return this.#rare?.error;
  }

  get faultHits(): readonly FaultHit[] | undefined {
    return this.#rare?.faultHits;
  }

  get rewoundTo(): string | undefined {
    return this.#rare?.rewoundTo;
  }

  /** Whether it is a request of the API, which verifications count. */
  get isRequest(): boolean {
    return this.#rare?.isControlCall !== true;
  }

  get decision(): Decision | undefined {
    return this.#rare?.decision;
  }

  /** Notes what a request seems to ask for, before it is validated. */
  noteUnvalidated({ action, resource, operationId }: Unvalidated): void {
    this.resource ??= truncate(resource);
    if (action !== undefined) this.change.action ??= truncate(action);
    if (operationId !== undefined) this.change.operationId ??= abbreviate(operationId.toLowerCase());
  }

  get contentType(): string | undefined {
    return findHeader(this.requestHeaders, 'content-type');
  }

  /** The body of the request. */
  readBody(): LoggedBody {
    return toLoggedBody(this.requestBody, this.requestBytes);
  }

  /** The body as a JSON value; undefined unless the log has all of it. */
  readJson(): unknown {
    const { body, bodyKept } = this.readBody();
    return bodyKept === 'complete' ? body : undefined;
  }

  /** The body of the answer as a JSON value, of a change only its result; undefined unless the log has all of it. */
  readResult(): unknown {
    const { responseBody } = this;
    if (typeof responseBody === 'object' && 'result' in responseBody) return JSON.parse(responseBody.result);
    const { body, bodyKept } = toLoggedBody(responseBody, this.responseBytes);
    return bodyKept === 'complete' ? body : undefined;
  }

  toEntry(): RequestLogEntry {
    const explainRequest = memoize(() => explain(this, this.decision));
    const nameRecord = memoize(() => findRecordName(this));
    return {
      id: this.id,
      requestId: this.requestId,
      receivedAt: toIsoString(this.receivedAt),
      method: this.method,
      path: this.path,
      operation: this.operation ?? null,
      action: this.action ?? null,
      resource: this.resource ?? null,
      operationId: this.operationId ?? null,
      key: this.key === undefined ? null : maskKey(this.key),
      keyName: this.keyName ?? null,
      answered: this.answered,
      status: this.status ?? null,
      error: this.error ?? null,
      applied: this.applied,
      replayOf: this.replayOf ?? null,
      recordId: this.recordId ?? null,
      get recordName() {
        return nameRecord() ?? null;
      },
      revisionBefore: this.revisionBefore ?? null,
      revisionAfter: this.revisionAfter ?? null,
      faults: (this.faultHits ?? []).map(({ effect }) => effect),
      rewoundTo: this.rewoundTo ?? null,
      get decidedBy() {
        return explainRequest();
      },
    };
  }
}
