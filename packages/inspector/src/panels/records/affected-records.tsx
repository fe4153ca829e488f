import type { ComponentChildren } from 'preact';
import { toHref } from '../../components/route.ts';
import type { AuditEntry, Notification } from '../../control-api/types.ts';
import { useDeletion } from '../../live/deletion.ts';
import { useNotification } from '../../live/notifications.ts';
import { RequestLink } from '../requests/request-link.tsx';

type Names = readonly (string | null | undefined)[];

interface NamedIdsProps {
  readonly resource: 'tags' | 'scenarios';
  readonly ids: readonly string[];
  readonly names: Names;
  readonly deletedIds: readonly string[];
  /** Whether each is in a line of its own, with its id. */
  readonly withIds?: boolean;
}

/** Tags or scenarios with their names, as links. Of a deleted one, the link is to the request that deleted it. */
export function NamedIds({ resource, ids, names, deletedIds, withIds = false }: NamedIdsProps) {
  return (
    <>
      {ids.map((id, index) => {
        const name = names[index] == null ? 'unknown' : `“${names[index]}”`;
        return (
          <span class={withIds ? 'line' : ''} key={id} title={id}>
            {!withIds && index > 0 && ', '}
            {deletedIds.includes(id) ? (
              <>
                {name} <DeletedLater id={id} />
              </>
            ) : (
              <a href={toHref('records', resource, id)}>{name}</a>
            )}
            {withIds && <code class="line quiet">{id}</code>}
          </span>
        );
      })}
    </>
  );
}

/** `(deleted later, req-0000000t)`, if the audit log has the deletion. */
function DeletedLater({ id }: { readonly id: string }) {
  const deletion = useDeletion(id);
  return (
    <span class="quiet">
      (deleted later
      {deletion !== undefined && (
        <>
          , <RequestLink id={deletion.requestId} />
        </>
      )}
      )
    </span>
  );
}

/** What a notification is about: the added and the removed tags, or the scenario. */
export function AffectedRecords({ of: notification }: { readonly of: Notification }) {
  const { addedTagIds = [], addedTagNames = [], removedTagIds = [], removedTagNames = [] } = notification;
  const { scenarioId, scenarioName, deletedIds } = notification;
  const tags = (ids: readonly string[], names: Names): ComponentChildren => (
    <>
      tag{ids.length === 1 ? '' : 's'}{' '}
      <NamedIds resource="tags" ids={ids} names={names} deletedIds={deletedIds} />
    </>
  );
  return (
    <>
      {addedTagIds.length > 0 && (
        <span>
          <b class="added">+</b> {tags(addedTagIds, addedTagNames)}{' '}
        </span>
      )}
      {removedTagIds.length > 0 && (
        <span>
          <b class="removed">−</b> {tags(removedTagIds, removedTagNames)}
        </span>
      )}
      {scenarioId !== undefined && (
        <>
          scenario{' '}
          <NamedIds resource="scenarios" ids={[scenarioId]} names={[scenarioName]} deletedIds={deletedIds} />
        </>
      )}
    </>
  );
}

/** What a change of a friend's tags or an enrollment changed; nothing for other changes. */
export function AffectedByChange({ of: entry }: { readonly of: AuditEntry }) {
  const notification = useNotification(entry);
  return notification === undefined ? null : <AffectedRecords of={notification} />;
}
