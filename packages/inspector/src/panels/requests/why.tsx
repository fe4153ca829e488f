import type { RequestDetail } from '../../control-api/types.ts';
import { formatNumber } from '../../text/count.ts';
import { describeAnswer, describeRequest, isChange, splitSentences } from './request-words.ts';
import { formatSentence } from './sentence.tsx';

/** Why the request ended as it did, and what to send instead: a paragraph per sentence. */
export function Why({ of: entry }: { readonly of: RequestDetail }) {
  const { step, clause, decision, because, problems, moreProblems = 0 } = entry.decidedBy;
  const origin = `${describeRequest(entry)} ${describeAnswer(entry).word}`;
  const from = { request: entry.requestId, title: origin, mark: [clause, decision].filter(Boolean).join() };
  return (
    <section>
      <h3>Why</h3>
      {problems !== undefined && problems.length > 1 ? (
        <Problems problems={problems} more={moreProblems} />
      ) : (
        <div class="why">
          {splitSentences(because).map((sentence) => (
            <p key={sentence}>{formatSentence(sentence)}</p>
          ))}
        </div>
      )}
      <p class="quiet small">
        {entry.error !== null && isChange(entry) && !entry.applied && 'Nothing was changed · '}
        Step {step}
        {clause !== undefined && (
          <>
            {' '}
            · clause <DocLink page="specification" number={clause} from={from} /> of the contract
          </>
        )}
        {decision !== undefined && (
          <>
            {' '}
            · decision <DocLink page="decisions" number={decision} from={from} />
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
  from,
}: {
  readonly page: 'specification' | 'decisions';
  readonly number: string;
  /** The request, so that the page names the way back and marks what decided it. */
  readonly from: Readonly<Record<string, string>>;
}) {
  return (
    <a href={`docs/${page}?${new URLSearchParams(from)}#${number}`} target="_blank" rel="noreferrer">
      {number}
      <span class="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}

/** Every problem of a body: where it is, what was sent, and what is expected. */
function Problems({
  problems,
  more,
}: {
  readonly problems: NonNullable<RequestDetail['decidedBy']['problems']>;
  /** Number of problems that are not listed. */
  readonly more: number;
}) {
  const number = problems.length;
  return (
    <>
      <h4>{more === 0 ? `${number} problems` : `${number} of ${formatNumber(number + more)} problems`}</h4>
      <ol class="problems">
        {problems.map(({ path, message, sent, correction }) => (
          <li key={`${path} ${message}`}>
            <code>{path === '' ? 'the body' : path}</code>
            {sent !== undefined && (
              <span class="line">
                Sent: <code>{sent}</code>
              </span>
            )}
            <span class="line">{message}</span>
            {correction !== undefined && <span class="line">{correction}</span>}
          </li>
        ))}
      </ol>
    </>
  );
}
