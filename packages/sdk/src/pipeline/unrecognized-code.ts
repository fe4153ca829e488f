import type { Redactor } from '../errors/redact.ts';
import { phrases } from '../generated/code-meanings.ts';
import type { ApiRequest } from './api-request.ts';
import type { AttemptResult } from './call-context.ts';

/** The statuses whose codes decide what happens next, with the most likely meaning of a code that is not known. */
const decisive: Readonly<Record<number, keyof typeof phrases>> = {
  404: 'notFound',
  409: 'uncertain',
  429: 'quotaExceeded',
};
/** A longer code is not suggested as one to configure. */
const longest = 100;

/** Says how to tell the client what the code of a refusal means; undefined if it is known, or if nothing depends on it. */
export function explainUnknownCode(
  { kind, subject = '' }: Pick<ApiRequest<unknown>, 'kind' | 'subject'>,
  { status = 0, answer, code: given, meaning, versions }: AttemptResult,
  redactor: Redactor,
): string | undefined {
  // What a 404 means decides for the read of a record, but not for the account, nor for the keywords of a site.
  const decides = status === 429 || kind === 'change' || (status === 404 && subject !== '');
  if (!decides || answer === '404 foreign') return undefined;
  // Only a change of a record as it was read can be stale.
  const isGuarded = !/^(create|enroll)-/.test(subject);
  const likely = status === 409 && isGuarded ? 'staleRevision' : decisive[status];
  // The meaning that a read proved is not a meaning the code is known to have.
  const isKnown = meaning !== undefined && !versions;
  const code = redactor.text(given);
  if (!likely || isKnown || code === undefined || code.length > longest) return undefined;
  const option = `createClient({ server: { server: 1, codes: { ${likely}: ${quote(code)} } } })`;
  return `${status} ${code} is not a known code: if it means ${phrases[likely]}, ${option}.`;
}

function quote(code: string): string {
  return /^[\w.:/ -]+$/.test(code) ? `'${code}'` : JSON.stringify(code);
}
