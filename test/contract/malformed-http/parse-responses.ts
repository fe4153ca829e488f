/** One whole response, as it came over a socket. */
export interface Response {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Splits bytes into complete responses. `rest` is what remains: empty if all are complete. */
export function parseResponses(bytes: Buffer): { readonly responses: Response[]; readonly rest: Buffer } {
  const responses: Response[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) [\w -]+$/.exec(first)?.[1]);
    if (Number.isNaN(status)) break;
    const headers = new Map(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = status === 100 ? 0 : Number(headers.get('content-length'));
    const whole = end + 4 + length;
    if (!(rest.length >= whole)) break;
    // `100 Continue` is not a response.
    if (status !== 100)
      responses.push({ status, headers, body: rest.subarray(end + 4, whole).toString('utf8') });
    rest = rest.subarray(whole);
  }
  return { responses, rest };
}
