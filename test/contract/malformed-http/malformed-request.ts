/** Bytes to send on a connection, and the allowed responses. */
export interface MalformedRequest {
  readonly kind: string;
  readonly bytes: Buffer;
  /** Allowed statuses of each response, in order. No further response is allowed. */
  readonly answers: readonly (readonly number[])[];
  /** Number of responses required. */
  readonly minAnswers: number;
  /** `end`: the client ends its side; `reset`: it disconnects at once; `wait`: it waits for every response first. */
  readonly clientEnd: 'end' | 'reset' | 'wait';
}

/** Statuses for malformed HTTP. */
export const malformedStatuses: readonly number[] = [400, 408, 413, 431];
/** Error statuses for any request. */
export const refusedStatuses: readonly number[] = [400, 401, 403, 404, 405, ...malformedStatuses];

export function malformedRequest(
  kind: string,
  bytes: string | Buffer,
  answers: MalformedRequest['answers'],
  clientEnd: MalformedRequest['clientEnd'] = 'end',
  minAnswers = answers.length,
): MalformedRequest {
  return {
    kind,
    bytes: typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes,
    answers,
    clientEnd,
    minAnswers,
  };
}
