import { isObject } from '@orgchat/spec/is-object';
import { useEffect, useState } from 'preact/hooks';
import { FieldDiff } from '../../components/field-diff-view.tsx';
import { callControl } from '../../control-api/client.ts';
import type { RequestDetail, RequestEntry } from '../../control-api/types.ts';
import { requests } from '../../live/requests.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How a change changed its record, field by field, if the log shows what it was before. */
export function RecordChange({ detail }: { readonly detail: RequestDetail }) {
  const after = isObject(detail.response?.body) ? detail.response.body.result : undefined;
  const [before, setBefore] = useState<Fields | null>();
  useEffect(() => {
    let isCurrent = true;
    findBefore(detail).then(
      (found) => isCurrent && setBefore(found ?? null),
      () => isCurrent && setBefore(null),
    );
    return () => {
      isCurrent = false;
    };
  }, [detail.id]);
  if (!isObject(after)) return null;
  return (
    <section>
      <h3>Change of the record</h3>
      {detail.revisionBefore === null && <FieldDiff before={{}} after={after} />}
      {detail.revisionBefore !== null && before === undefined && <p class="loading">Loading…</p>}
      {detail.revisionBefore !== null && before === null && (
        <p class="nothing">
          No request in the log shows the record as it was before. Read it before you change it, and the
          difference is here.
        </p>
      )}
      {isObject(before) && detail.revisionBefore !== null && <FieldDiff before={before} after={after} />}
    </section>
  );
}

/** Reads that are looked into. A client reads a record shortly before it changes it. */
const mostReads = 20;

/** The record before a change, from the answer of the change before it, or of a read between them. */
async function findBefore(detail: RequestDetail): Promise<Fields | undefined> {
  const earlier = requests.value.filter(({ id }) => id < detail.id).toReversed();
  const change = earlier.find(
    ({ recordId, revisionAfter }) => recordId === detail.recordId && revisionAfter === detail.revisionBefore,
  );
  const reads = earlier.filter(
    ({ id, operation, resource, status }) =>
      operation === 'readChat' && resource === detail.resource && status === 200 && id > (change?.id ?? 0),
  );
  const candidates: RequestEntry[] = [
    ...(change === undefined ? [] : [change]),
    ...reads.slice(0, mostReads),
  ];
  for (const { id } of candidates) {
    const { response } = await callControl<RequestDetail>('GET', `requests/${id}`);
    const found = findRecord(response?.body, detail.revisionBefore);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Finds the record with a revision in an answer: the result of a change, one record, or one of a list. */
function findRecord(body: unknown, revision: string | null): Fields | undefined {
  if (!isObject(body)) return undefined;
  const records = [body.result, body.record, ...(Array.isArray(body.records) ? body.records : [])];
  return records.filter(isObject).find((record) => record.revision === revision);
}
