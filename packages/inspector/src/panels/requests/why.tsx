import type { RequestDetail } from '../../control-api/types.ts';
import { splitSentences } from './request-words.ts';
import { formatSentence } from './sentence.tsx';

/** Why the request ended as it did, and what to send instead: a paragraph per sentence. */
export function Why({
  decidedBy: { step, clause, decision, because, problems },
}: Pick<RequestDetail, 'decidedBy'>) {
  return (
    <section>
      <h3>Why</h3>
      {problems !== undefined && problems.length > 1 ? (
        <Problems problems={problems} />
      ) : (
        <div class="why">
          {splitSentences(because).map((sentence) => (
            <p key={sentence}>{formatSentence(sentence)}</p>
          ))}
        </div>
      )}
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

/** The mock lists no more problems of one body. */
const mostListed = 20;

/** Every problem of a body: where it is, what was sent, and what is expected. */
function Problems({ problems }: { readonly problems: NonNullable<RequestDetail['decidedBy']['problems']> }) {
  return (
    <>
      <h4>{problems.length === mostListed ? `The first ${mostListed}` : problems.length} problems</h4>
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
