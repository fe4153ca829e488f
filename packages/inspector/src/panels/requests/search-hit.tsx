import { useEffect, useState } from 'preact/hooks';
import { callControl } from '../../control-api/client.ts';
import type { RequestDetail, RequestEntry } from '../../control-api/types.ts';
import { findHit, type Hit } from './find-hit.ts';

/** Where the words of a search are in the bodies of a request, which only the mock has. */
export function SearchHit({ entry, search }: { readonly entry: RequestEntry; readonly search: string }) {
  const [hit, setHit] = useState<Hit>();
  useEffect(() => {
    const controller = new AbortController();
    setHit(undefined);
    callControl<RequestDetail>('GET', `requests/${entry.id}`, undefined, controller.signal).then(
      (detail) => setHit(findHit(detail, search)),
      () => {
        // Without the bodies the row has no excerpt.
      },
    );
    return () => controller.abort();
  }, [entry.id, search]);
  if (hit === undefined) return null;
  return (
    <span class="cut quiet reason">
      in {hit.place}: {hit.before}
      <mark>{hit.found}</mark>
      {hit.after}
    </span>
  );
}
