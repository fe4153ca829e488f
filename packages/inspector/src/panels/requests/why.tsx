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
      <div class="why">
        {splitSentences(because).map((sentence) => (
          <p key={sentence}>{formatSentence(sentence)}</p>
        ))}
      </div>
      {problems !== undefined && problems.length > 1 && <Problems problems={problems} />}
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

/** Every problem of a body: where it is, and what is wrong there. */
function Problems({ problems }: { readonly problems: NonNullable<RequestDetail['decidedBy']['problems']> }) {
  return (
    <>
      <h4>All problems of the body</h4>
      <ol class="problems">
        {problems.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code>{path === '' ? 'the body' : path}</code>
            <span class="line">{message}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
