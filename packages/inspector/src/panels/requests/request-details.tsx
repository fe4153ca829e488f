import { useEffect } from 'preact/hooks';
import { CopyButton } from '../../components/controls.tsx';
import { DetailPane } from '../../components/detail.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Facts, Load } from '../../components/panel.tsx';
import { Revision } from '../../components/revision.tsx';
import { Time } from '../../components/time.tsx';
import { baseUrl } from '../../control-api/client.ts';
import type { RequestDetail } from '../../control-api/types.ts';
import { requests } from '../../live/requests.ts';
import { useControl } from '../../live/resource.ts';
import { toCurl } from '../../text/curl.ts';
import { toSdkCode } from '../../text/sdk-code.ts';
import { RecordLink } from '../records/record-link.tsx';
import { OperationLink, OperationStory } from './operation-story.tsx';
import { OutcomeBadges } from './outcome-badges.tsx';
import { RecordChange } from './record-change.tsx';
import { RequestLink } from './request-link.tsx';
import { describeWithName, explainOutcome, hasChanged } from './request-words.ts';
import { formatSentence } from './sentence.tsx';
import { TimeTravel } from './time-travel.tsx';
import { Why } from './why.tsx';

/** Everything about one request, beside the list. */
export function RequestDetails({ id, close }: { readonly id: string; readonly close: () => void }) {
  const detail = useControl<RequestDetail>(`requests/${encodeURIComponent(id)}`, []);
  // A request may be chosen before it is answered.
  const known = requests.value.find((entry) => String(entry.id) === id);
  const state = known === undefined ? '' : `${known.status} ${known.answered} ${known.applied}`;
  useEffect(() => detail.reload(), [state]);
  return (
    <DetailPane title={known === undefined ? `Request ${id}` : describeWithName(known)} close={close}>
      <Load from={detail}>{(data) => <Detail detail={data} />}</Load>
    </DetailPane>
  );
}

function Detail({ detail }: { readonly detail: RequestDetail }) {
  const { request, response } = detail;
  const code = toSdkCode(detail);
  const sentences = explainOutcome(detail);
  return (
    <>
      <p>
        <OutcomeBadges entry={detail} withAnswer />
      </p>
      {(sentences.length > 0 || detail.error === null) && (
        <section>
          <h3>What happened</h3>
          {sentences.map((sentence) => (
            <p key={sentence}>{formatSentence(sentence)}</p>
          ))}
          {sentences.length === 0 && <p>It was answered, and changed nothing.</p>}
        </section>
      )}
      <Why of={detail} />
      {detail.operationId !== null && <OperationStory operationId={detail.operationId} current={detail.id} />}
      {detail.revisionAfter !== null && detail.applied && <RecordChange detail={detail} />}
      <section>
        <h3>Facts</h3>
        <Facts
          facts={[
            [
              'Request',
              <code>
                {detail.method} {detail.path}
                {request.query === '' ? '' : `?${request.query}`}
              </code>,
            ],
            ['Request id', detail.requestId],
            ['Received', <Time at={detail.receivedAt} withDate />],
            ['Key', detail.keyName ?? detail.key],
            ...(detail.operationId === null
              ? []
              : [['operationId', <OperationLink id={detail.operationId} />] as const]),
            ...(detail.replayOf === null
              ? []
              : [['Replay of', <RequestLink id={detail.replayOf} />] as const]),
            ...(detail.recordId === null
              ? []
              : [
                  [
                    'Record',
                    <RecordLink resource={detail.resource} id={detail.recordId} name={detail.recordName} />,
                  ] as const,
                ]),
            ...(detail.revisionBefore === null
              ? []
              : [['Revision before', <Revision of={detail.revisionBefore} />] as const]),
            ...(detail.revisionAfter === null
              ? []
              : [['Revision after', <Revision of={detail.revisionAfter} />] as const]),
          ]}
        />
      </section>
      {detail.operation !== null && (
        <div class="buttons">
          <CopyButton kind="plain" text={toCurl(detail, baseUrl)} label="Copy as curl" />
          {code !== undefined && <CopyButton kind="plain" text={code} label="Copy as SDK code" />}
        </div>
      )}
      {hasChanged(detail) && <TimeTravel detail={detail} />}
      <Message name="request" title="Request body" part={request} />
      {response === null ? (
        <section>
          <h3>Answer</h3>
          <p class="nothing">The mock sent no response.</p>
        </section>
      ) : (
        <Message
          name="answer"
          title={detail.answered ? 'Answer' : 'Answer that did not arrive'}
          part={response}
        />
      )}
    </>
  );
}

type MessagePart = Pick<RequestDetail['request'], 'headers' | 'body' | 'bodyBytes' | 'bodyKept'>;

const keptWords = {
  complete: '',
  truncated: ', of which the log has the first 64 KiB',
  dropped: ', not kept',
};

interface MessageProps {
  readonly name: 'request' | 'answer';
  readonly title: string;
  readonly part: MessagePart;
}

function Message({ name, title, part }: MessageProps) {
  return (
    <section>
      <h3>
        {title}{' '}
        <span class="quiet">
          {part.bodyBytes.toLocaleString('en-US')} bytes{keptWords[part.bodyKept]}
        </span>
      </h3>
      {part.body !== null && <JsonView value={part.body} label={title} />}
      <details>
        <summary>Headers of the {name}</summary>
        <Facts facts={Object.entries(part.headers)} />
      </details>
    </section>
  );
}
