import { useEffect, useState } from 'preact/hooks';
import { callControl } from '../control-api/client.ts';
import type { RequestList } from '../control-api/types.ts';
import { requests } from './requests.ts';

/** The mock searches at most once in this time, while a person types or requests arrive. */
const pauseMs = 200;

/** Longer searches are refused. */
const maxLength = 200;

const none: ReadonlySet<number> = new Set();

/** The ids of the requests in which the mock finds all words of a search: it has the bodies, which the page does not. */
export function useFoundRequests(search: string): ReadonlySet<number> {
  const [found, setFound] = useState(none);
  useEffect(() => {
    setFound(none);
    if (search.trim() === '') return;
    const controller = new AbortController();
    const add = (ids: readonly number[]): void => setFound((before) => new Set([...before, ...ids]));
    follow(search.slice(0, maxLength), controller.signal, add).catch(() => {
      // What the page itself has is searched without the mock.
    });
    return () => controller.abort();
  }, [search]);
  return found;
}

/** Searches what the log has, then what arrives, until it is aborted. */
async function follow(
  search: string,
  signal: AbortSignal,
  add: (ids: readonly number[]) => void,
): Promise<void> {
  let searched = 0;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (signal.aborted) return;
    const newest = requests.value.at(-1)?.id ?? 0;
    if (newest === searched) continue;
    const query = new URLSearchParams({ search, after: String(searched) });
    const list = await callControl<RequestList>('GET', `requests?${query}`, undefined, signal);
    if (list.requests.length > 0) add(list.requests.map(({ id }) => id));
    searched = newest;
  }
}
