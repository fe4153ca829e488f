import { type CodeMeaning, phrases } from '../generated/code-meanings.ts';

interface Refusal {
  readonly status?: number | undefined;
  /** The server's code; undefined if its answer had none. */
  readonly code?: string | undefined;
  readonly meaning?: CodeMeaning | undefined;
}

/** The statuses whose codes decide what happens next, with the most likely meaning of a code that is not known. */
const decisive: Readonly<Record<number, keyof typeof phrases>> = {
  404: 'notFound',
  409: 'uncertain',
  429: 'quotaExceeded',
};
/** A longer code is not suggested as one to configure. */
const longest = 100;

/**
 * Says how to tell the client what a code means; undefined if it is known, or if nothing depends on it.
 *
 * @param isGuarded Whether the call was a change of a record as it was read, which alone can be stale.
 */
export function explainUnknownCode(
  { status = 0, code, meaning }: Refusal,
  isGuarded: boolean,
): string | undefined {
  const likely = status === 409 && isGuarded ? 'staleRevision' : decisive[status];
  if (!likely || meaning !== undefined || code === undefined || code.length > longest) return undefined;
  const option = `createClient({ codes: { ${likely}: ${quote(code)} } })`;
  return `${status} ${code} is not a known code: if it means ${phrases[likely]}, ${option}.`;
}

function quote(code: string): string {
  return /^[\w.:/ -]+$/.test(code) ? `'${code}'` : JSON.stringify(code);
}
