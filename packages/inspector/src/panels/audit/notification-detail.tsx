import type { ComponentChildren } from 'preact';
import { JsonView } from '../../components/json-view.tsx';
import { Facts } from '../../components/panel.tsx';
import { toHref } from '../../components/route.ts';
import { Time } from '../../components/time.tsx';
import type { Notification, RequestEntry } from '../../control-api/types.ts';
import { NamedIds } from '../records/affected-records.tsx';
import { RecordLink } from '../records/record-link.tsx';
import { RequestLink } from '../requests/request-link.tsx';
import { splitSentences } from '../requests/request-words.ts';
import { formatSentence } from '../requests/sentence.tsx';

interface NotificationDetailProps {
  readonly notification: Notification;
  /** The request that caused it, if the log has it. */
  readonly request: RequestEntry | undefined;
}

/** Everything about one notification. */
export function NotificationDetail({ notification, request }: NotificationDetailProps) {
  const { at, operationId, organizationId, accountId, userId, friendName, automationId } = notification;
  const { addedTagIds, addedTagNames = [], removedTagIds, removedTagNames = [] } = notification;
  const { scenarioId, scenarioName, deletedIds } = notification;
  const facts: (readonly [string, ComponentChildren])[] = [
    ['Time', <Time at={at} withDate />],
    ['Friend', <RecordLink resource="friends" id={`${accountId}/${userId}`} name={friendName} />],
  ];
  const addRecords = (
    title: string,
    resource: 'tags' | 'scenarios',
    ids: readonly string[],
    names: readonly (string | null | undefined)[],
  ): void => {
    if (ids.length === 0) facts.push([title, null]);
    else
      facts.push([
        title,
        <NamedIds resource={resource} ids={ids} names={names} deletedIds={deletedIds} withIds />,
      ]);
  };
  if (addedTagIds !== undefined) addRecords('Added', 'tags', addedTagIds, addedTagNames);
  if (removedTagIds !== undefined) addRecords('Removed', 'tags', removedTagIds, removedTagNames);
  if (scenarioId !== undefined) addRecords('Scenario', 'scenarios', [scenarioId], [scenarioName]);
  if (automationId !== undefined)
    facts.push(['Automation', <RecordLink resource="friend-automations" id={automationId} />]);
  facts.push([
    'operationId',
    <a href={toHref('operations', operationId)}>
      <code>{operationId}</code>
    </a>,
  ]);
  if (request !== undefined) facts.push(['Request', <RequestLink id={request.requestId} />]);
  facts.push(['Organization', organizationId]);
  return (
    <>
      <Facts facts={facts} />
      <section>
        <h3>JSON</h3>
        <JsonView value={notification} label="The notification as JSON" />
      </section>
    </>
  );
}

/** Why a change notified nobody. */
export function SilentDetail({ request }: { readonly request: RequestEntry }) {
  return (
    <>
      <section>
        <h3>Why nobody is notified</h3>
        <div class="why">
          {splitSentences(request.decidedBy.because).map((sentence) => (
            <p key={sentence}>{formatSentence(sentence)}</p>
          ))}
        </div>
      </section>
      <Facts
        facts={[
          ['Time', <Time at={request.receivedAt} withDate />],
          ['Request', <RequestLink id={request.requestId} />],
          ['Key', request.keyName],
        ]}
      />
      <section>
        <h3>JSON</h3>
        <JsonView value={request} label="The request as JSON" />
      </section>
    </>
  );
}
