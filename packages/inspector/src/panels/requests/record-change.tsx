import { isObject } from '@orgchat/spec/is-object';
import { useEffect, useState } from 'preact/hooks';
import { FieldDiff } from '../../components/field-diff-view.tsx';
import { callControl, toMessage } from '../../control-api/client.ts';
import type { RequestDetail } from '../../control-api/types.ts';
import { type Fields, findBefore } from './find-before.ts';

/** What is known of the record before a change. */
type Before =
  | { readonly state: 'reading' }
  | { readonly state: 'found'; readonly fields: Fields }
  | { readonly state: 'absent' }
  | { readonly state: 'failed'; readonly message: string };

/** How a change changed its record, field by field, if the log shows what it was before. */
export function RecordChange({ detail }: { readonly detail: RequestDetail }) {
  const after = isObject(detail.response?.body) ? detail.response.body.result : undefined;
  const before = useBefore(detail);
  if (!isObject(after)) return null;
  return (
    <section>
      <h3>{detail.revisionBefore === null ? 'The new record' : 'Change of the record'}</h3>
      {before.state === 'found' && <FieldDiff before={before.fields} after={after} />}
      {before.state === 'reading' && <p class="loading">Loading…</p>}
      {before.state === 'absent' && (
        <p class="nothing">
          The whole record as it was before was not found in the log, so what differs is not known. If a
          client reads a record before it changes it, this shows the difference.
        </p>
      )}
      {before.state === 'failed' && <p class="nothing">{before.message}</p>}
    </section>
  );
}

function useBefore(detail: RequestDetail): Before {
  const isNew = detail.revisionBefore === null;
  const [before, setBefore] = useState<Before>({ state: 'reading' });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const set = (next: Before): void => {
      if (!signal.aborted) setBefore(next);
    };
    if (isNew) return;
    findBefore(detail, (path) => callControl('GET', path, undefined, signal)).then(
      (fields) => set(fields === undefined ? { state: 'absent' } : { state: 'found', fields }),
      (error: unknown) => set({ state: 'failed', message: toMessage(error) }),
    );
    return () => controller.abort();
  }, [detail.id]);
  return isNew ? { state: 'found', fields: {} } : before;
}
