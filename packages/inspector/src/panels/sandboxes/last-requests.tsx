import { useEffect } from 'preact/hooks';
import { Load } from '../../components/panel.tsx';
import { Time } from '../../components/time.tsx';
import { controlPath } from '../../control-api/client.ts';
import type { RequestList, SandboxEntry } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';
import { OutcomeBadges } from '../requests/outcome-badges.tsx';
import { describeReason, describeWithName } from '../requests/request-words.ts';

/** How many of the last requests of a sandbox are shown. */
export const shownRequests = 5;

/** The last requests of a sandbox with their outcomes, newest first. They are read again with each list of sandboxes. */
export function LastRequests({ sandbox }: { readonly sandbox: SandboxEntry }) {
  const { controlUrl } = sandbox;
  const list = useControl<RequestList>(`${controlPath(controlUrl)}/requests?last=${shownRequests}`, []);
  // A request that was in progress has an answer later, although their number is the same.
  useEffect(list.reload, [sandbox]);
  return (
    <Load from={list}>
      {({ requests }) => (
        <ol class="history story">
          {requests.toReversed().map((entry) => {
            const reason = describeReason(entry);
            return (
              <li key={entry.id}>
                <a href={`${controlUrl}/#/requests/${entry.requestId}`}>{describeWithName(entry)}</a>
                <OutcomeBadges entry={entry} withAnswer />
                <Time at={entry.receivedAt} />
                {reason !== undefined && <span class="line quiet">{reason}</span>}
              </li>
            );
          })}
        </ol>
      )}
    </Load>
  );
}
