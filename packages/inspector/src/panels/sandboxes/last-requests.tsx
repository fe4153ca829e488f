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

/** How many are read, to have those that are shown. */
const mostRead = 20;

/** The last requests of a sandbox with their outcomes, newest first. They are read again when there are more. */
export function LastRequests({ sandbox: { controlUrl, requests } }: { readonly sandbox: SandboxEntry }) {
  // Ids count the requests of a sandbox, with its control calls that changed something.
  const after = Math.max(0, requests - mostRead);
  const list = useControl<RequestList>(`${controlPath(controlUrl)}/requests?after=${after}`, []);
  return (
    <section>
      <h3>Last requests</h3>
      <Load from={list}>
        {(log) => (
          <ol class="history story">
            {log.requests
              .slice(-shownRequests)
              .reverse()
              .map((entry) => {
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
