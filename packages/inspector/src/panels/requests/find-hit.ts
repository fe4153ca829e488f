import { splitWords } from '@orgchat/spec/search-words';
import type { RequestDetail } from '../../control-api/types.ts';

/** A place in a body, with the text around what was searched. */
export interface Hit {
  readonly place: 'request body' | 'answer body';
  readonly before: string;
  readonly found: string;
  readonly after: string;
}

/** Characters before what was found, and after it. */
const around = { before: 16, after: 48 };

const toText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body ?? ''));

/** Finds the whole search in the bodies of a request, or else its first word that is there. */
export function findHit(
  { request, response }: Pick<RequestDetail, 'request' | 'response'>,
  search: string,
): Hit | undefined {
  const whole = search.trim().toLowerCase();
  const bodies = [
    { place: 'request body', text: toText(request.body) },
    { place: 'answer body', text: toText(response?.body) },
  ] as const;
  if (whole === '') return undefined;
  for (const words of new Set([whole, ...splitWords(search)])) {
    for (const { place, text } of bodies) {
      const start = text.toLowerCase().indexOf(words);
      if (start < 0) continue;
      const end = start + words.length;
      const from = Math.max(0, start - around.before);
      return {
        place,
        before: `${from > 0 ? '…' : ''}${text.slice(from, start)}`,
        found: text.slice(start, end),
        after: `${text.slice(end, end + around.after)}${end + around.after < text.length ? '…' : ''}`,
      };
    }
  }
  return undefined;
}
