/** Bytes for a connection, and what may come back. */
export interface Attack {
  readonly kind: string;
  readonly bytes: Buffer;
  /** What each response in turn may have for a status; no response may come past these. */
  readonly answers: readonly (readonly number[])[];
  /** As many of them must come. */
  readonly least: number;
  /** `end`: the client ends its side; `reset`: it goes away without waiting; `wait`: it waits for every answer first. */
  readonly afterwards: 'end' | 'reset' | 'wait';
}

/** What is no HTTP request. */
export const malformed: readonly number[] = [400, 408, 413, 431];
/** What a request may be answered that is HTTP, whatever it asks for. */
export const refused: readonly number[] = [400, 401, 403, 404, 405, ...malformed];

export function attack(
  kind: string,
  bytes: string | Buffer,
  answers: Attack['answers'],
  afterwards: Attack['afterwards'] = 'end',
  least = answers.length,
): Attack {
  return {
    kind,
    bytes: typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes,
    answers,
    afterwards,
    least,
  };
}
