import { type CodeMeaning, codeMeanings } from '../generated/code-meanings.ts';

interface Refusal {
  readonly status?: number | undefined;
  /** The server's code; undefined if its answer had none. */
  readonly code?: string | undefined;
  readonly meaning?: CodeMeaning | undefined;
}

/** The statuses whose codes decide what happens next. */
const decisive: Readonly<Record<number, CodeMeaning>> = {
  404: 'notFound',
  409: 'uncertain',
  429: 'quotaExceeded',
};
/** A code longer than this is not shown as one to configure. */
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
  const others = (Object.keys(codeMeanings) as CodeMeaning[]).filter((name) => {
    const statuses: readonly number[] = codeMeanings[name].statuses;
    return name !== likely && statuses.includes(status);
  });
  const option = `createClient({ codes: { ${likely}: ${quote(code)} } })`;
  return `${status} ${code} is not a known code: if it means ${codeMeanings[likely].phrase}, ${option} (other meanings of ${status}: ${others.join(', ')})`;
}

function quote(code: string): string {
  return /^[\w.:/ -]+$/.test(code) ? `'${code}'` : JSON.stringify(code);
}
