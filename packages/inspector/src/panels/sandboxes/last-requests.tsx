import { useEffect } from 'preact/hooks';
import { Badge, Load } from '../../components/panel.tsx';
import { Time } from '../../components/time.tsx';
import { controlPath } from '../../control-api/client.ts';
import type { RequestList, SandboxEntry } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';
import {
  describeAnswer,
  describeOutcomes,
  describeReason,
  describeWithName,
} from '../requests/request-words.ts';

/** How many of the last requests of a sandbox are shown. */
const shownRequests = 5;

/** The last requests of a sandbox with their outcomes, newest first. They are read again with each list of sandboxes. */
export function LastRequests({ sandbox }: { readonly sandbox: SandboxEntry }) {
  const { controlUrl } = sandbox;
  const list = useControl<RequestList>(`${controlPath(controlUrl)}/requests?last=${shownRequests}`, []);
  // A request that was in progress has an answer later, although their number is the same.
  useEffect(list.reload, [sandbox]);
  return (
    <section>
      <h3>Last requests</h3>
      <Load from={list}>
        {(log) => (
          <ol class="history story">
            {log.requests.toReversed().map((entry) => {
              const answer = describeAnswer(entry);
              const reason = describeReason(entry);
              return (
                <li key={entry.id}>
                  <Time at={entry.receivedAt} />
                  <a href={`${controlUrl}/#/requests/${entry.requestId}`}>{describeWithName(entry)}</a>
                  <span class="badges">
                    <Badge tone={answer.tone}>{answer.word}</Badge>
                    {describeOutcomes(entry).map(({ tone, word }) => (
                      <Badge tone={tone} key={word}>
                        {word}
                      </Badge>
                    ))}
                  </span>
                  {reason !== undefined && <span class="line quiet">{reason}</span>}
                </li>
              );
            })}
          </ol>
        )}
      </Load>
    </section>
  );
}
