import { useControl } from '../../live/resource.ts';
import { RecordLink } from './record-link.tsx';
import { type RecordFields, toListed } from './record-lists.ts';

/** The resource of the records that a field names by their ids. */
const referred: Readonly<Record<string, string>> = {
  tagId: 'tags',
  tagIds: 'tags',
  triggerTagId: 'tags',
  scenarioId: 'scenarios',
  accountId: 'accounts',
};

/** The resource that the ids in a field are of; undefined if the field has no ids. */
export const getReferred = (field: string): string | undefined =>
  Object.hasOwn(referred, field) ? referred[field] : undefined;

/** More than a list of tags or scenarios has, so that one call reads all. */
const everything = 10_000;

/** Ids as links with names. */
export function References({
  resource,
  ids,
}: {
  readonly resource: string;
  readonly ids: readonly string[];
}) {
  const list = useControl<{ readonly records: readonly RecordFields[] }>(
    `records?resource=${resource}&limit=${everything}`,
    ['record', 'operation', 'sandbox'],
  );
  if (ids.length === 0) return <span class="none">none</span>;
  const { data } = list.loaded;
  return (
    <>
      {ids.map((id) => {
        const found = data?.records.find((fields) => fields.id === id);
        return (
          <span class="line" key={id}>
            {data !== undefined && found === undefined ? (
              <>
                <code>{id}</code> (not in the list: deleted)
              </>
            ) : (
              <RecordLink
                resource={resource}
                id={id}
                name={found === undefined ? null : toListed(resource, found).title}
              />
            )}
          </span>
        );
      })}
    </>
  );
}
