import { referenceFields } from '@orgchat/spec/resources/references';
import { CopyableId } from '../../components/copyable-id.tsx';
import { Badge } from '../../components/panel.tsx';
import { useDeletion } from '../../live/deletion.ts';
import { useControl } from '../../live/resource.ts';
import { RequestLink } from '../requests/request-link.tsx';
import { RecordLink } from './record-link.tsx';
import { type RecordFields, toListed } from './record-lists.ts';

/** The resource that the ids in a field are of; undefined if the field has no ids. */
export const getReferred = (field: string): string | undefined => referenceFields.get(field);

/** More than a list of tags or scenarios has, so that one call reads all. */
const everything = 10_000;

interface RecordPage {
  readonly records: readonly RecordFields[];
  readonly total: number;
}

/** Ids as links with names. */
export function References({
  resource,
  ids,
}: {
  readonly resource: string;
  readonly ids: readonly string[];
}) {
  const list = useControl<RecordPage>(`records?resource=${resource}&limit=${everything}`, [
    'record',
    'operation',
    'sandbox',
  ]);
  const page = list.loaded.data;
  if (ids.length === 0) return <span class="none">none</span>;
  return (
    <>
      {ids.map((id) => {
        const found = page?.records.find((fields) => fields.id === id);
        const isGone = page !== undefined && found === undefined && page.total === page.records.length;
        return (
          <span class="line" key={id}>
            {isGone ? (
              <GoneRecord id={id} />
            ) : (
              <RecordLink
                resource={resource}
                id={id}
                name={found === undefined ? null : toListed(resource, found).title}
                isCopyable
              />
            )}
          </span>
        );
      })}
    </>
  );
}

/** A record that does not exist: its name and who deleted it, if the audit log has that. */
function GoneRecord({ id }: { readonly id: string }) {
  const deletion = useDeletion(id);
  return (
    <>
      {deletion?.recordName != null && <s>{deletion.recordName}</s>}{' '}
      <Badge tone="bad">{deletion === undefined ? 'does not exist' : 'deleted'}</Badge>
      {deletion !== undefined && (
        <span class="quiet">
          {' '}
          in <RequestLink id={deletion.requestId} />
        </span>
      )}
      <span class="line quiet">
        <CopyableId id={id} />
      </span>
    </>
  );
}
