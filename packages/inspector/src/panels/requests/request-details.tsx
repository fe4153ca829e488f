import { patterns } from '@orgchat/spec/patterns';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { CopyButton } from '../../components/controls.tsx';
import { DetailPane } from '../../components/detail.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Badge, Facts, Load } from '../../components/panel.tsx';
import { Revision } from '../../components/revision.tsx';
import { toHref } from '../../components/route.ts';
import { Time } from '../../components/time.tsx';
import { Value } from '../../components/value.tsx';
import { baseUrl } from '../../control-api/client.ts';
import type { RequestDetail } from '../../control-api/types.ts';
import { requests } from '../../live/requests.ts';
import { useControl } from '../../live/resource.ts';
import { toCurl } from '../../text/curl.ts';
import { toSdkCode } from '../../text/sdk-code.ts';
import { RecordLink } from '../records/record-link.tsx';
import { RecordChange } from './record-change.tsx';
import {
  describeAnswer,
  describeOutcomes,
  describeWithName,
  explainOutcome,
  hasChanged,
  splitSentences,
} from './request-words.ts';
import { TimeTravel } from './time-travel.tsx';

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
  const answer = describeAnswer(detail);
  return (
    <>
      <p class="badges">
        <Badge tone={answer.tone}>{answer.word}</Badge>
        {describeOutcomes(detail).map(({ tone, word }) => (
          <Badge tone={tone} key={word}>
            {word}
          </Badge>
        ))}
      </p>
      <section>
        <h3>What happened</h3>
        {explainOutcome(detail).map((sentence) => (
          <p key={sentence}>{formatSentence(sentence)}</p>
        ))}
        {explainOutcome(detail).length === 0 && <p>It was answered, and changed nothing.</p>}
      </section>
      <Why decidedBy={detail.decidedBy} />
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
              : [
                  [
                    'operationId',
                    <a href={toHref('operations', detail.operationId)}>
                      <code>{detail.operationId}</code>
                    </a>,
                  ] as const,
                ]),
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

/** A pattern without its anchors. */
const toPart = ({ source }: RegExp): string => source.slice(1, -1);

/** Revisions of 64 digits, ids and times, which are hard to read in a sentence as they are. */
const unreadable = new RegExp(
  String.raw`\b(${toPart(patterns.revision)}|${toPart(patterns.uuid)}|req-[0-9a-z-]+|\d{4}-\d\d-\d\dT[\d:.]+Z)\b`,
);

/** A sentence in which requests are links, and ids, revisions and times are as elsewhere on the page. */
const formatSentence = (sentence: string): ComponentChildren =>
  sentence.split(unreadable).map((piece, index) => {
    if (index % 2 === 0) return piece;
    return piece.startsWith('req-') ? (
      <RequestLink id={piece} key={index} />
    ) : (
      <Value of={piece} key={index} />
    );
  });

/** Why the request ended as it did, and what to send instead: a paragraph per sentence. */
function Why({ decidedBy: { step, clause, decision, because } }: Pick<RequestDetail, 'decidedBy'>) {
  return (
    <section>
      <h3>Why</h3>
      <div class="why">
        {splitSentences(because).map((sentence) => (
          <p key={sentence}>{formatSentence(sentence)}</p>
        ))}
      </div>
      <p class="quiet small">
        Step {step}
        {clause !== undefined && (
          <>
            {' '}
            · clause <DocLink page="specification" number={clause} /> of the contract
          </>
        )}
        {decision !== undefined && (
          <>
            {' '}
            · decision <DocLink page="decisions" number={decision} />
          </>
        )}
      </p>
    </section>
  );
}

/** A link to a clause or a decision, in a tab of its own: the list and its filters stay as they are. */
function DocLink({
  page,
  number,
}: {
  readonly page: 'specification' | 'decisions';
  readonly number: string;
}) {
  return (
    <a href={`docs/${page}#${number}`} target="_blank" rel="noreferrer">
      {number}
      <span class="visually-hidden"> (opens in a new tab)</span>
    </a>
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

/** A link to a request by its requestId, which the log may no longer have. */
function RequestLink({ id }: { readonly id: string }) {
  return (
    <a href={toHref('requests', id)}>
      <code>{id}</code>
    </a>
  );
}
