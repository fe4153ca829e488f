import { useEffect } from 'preact/hooks';
import { Load } from '../../components/panel.tsx';
import { Time } from '../../components/time.tsx';
import { controlPath } from '../../control-api/client.ts';
import type { RequestList, SandboxEntry } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';
import { OutcomeBadges } from '../requests/outcome-badges.tsx';
import { describeReason, describeWithName } from '../requests/request-words.ts';
import { describeRequests, describeShown } from './sandbox-words.ts';

/** How many of the last entries of a sandbox's log are shown. */
const shownEntries = 5;

/** The last requests of a sandbox with their outcomes, newest first. They are read again with each list of sandboxes. */
export function LastRequests({ sandbox }: { readonly sandbox: SandboxEntry }) {
  const path = controlPath(sandbox.controlUrl);
  const list = useControl<RequestList>(`${path}/requests?last=${shownEntries + 1}`, []);
  // A request that was in progress has an answer later, although their number is the same.
  useEffect(list.reload, [sandbox]);
  return (
    <Load from={list}>
      {({ requests }) => {
        const shown = requests.slice(-shownEntries);
        return (
          <>
            <p>
              {describeRequests(sandbox)} {describeShown(shown, sandbox, requests.length > shown.length)}
            </p>
            <ol class="history story">
              {shown.toReversed().map((entry) => {
                const reason = describeReason(entry);
                return (
                  <li key={entry.id}>
                    <a href={`${path}/#/requests/${entry.requestId}`}>{describeWithName(entry)}</a>
                    <OutcomeBadges entry={entry} withAnswer />
                    <Time at={entry.receivedAt} />
                    {reason !== undefined && <span class="line quiet">{reason}</span>}
                  </li>
                );
              })}
            </ol>
          </>
        );
      }}
    </Load>
  );
}
