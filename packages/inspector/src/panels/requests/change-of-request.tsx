import type { RequestDetail } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';
import { RecordChange } from './record-change.tsx';

/** What a request changed in its record, if the log still has the request. */
export function ChangeOfRequest({ requestId }: { readonly requestId: string }) {
  const { loaded } = useControl<RequestDetail>(`requests/${encodeURIComponent(requestId)}`, []);
  if (loaded.data !== undefined) return <RecordChange detail={loaded.data} />;
  return loaded.error === undefined ? null : <p class="nothing">What changed is not known. {loaded.error}</p>;
}
