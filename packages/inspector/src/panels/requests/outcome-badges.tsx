import type { ComponentChildren } from 'preact';
import { Badge } from '../../components/panel.tsx';
import type { RequestEntry } from '../../control-api/types.ts';
import { describeAnswer, describeOutcomes } from './request-words.ts';

/** What a client got: the status, or that no whole answer arrived. */
export function AnswerBadge({ entry }: { readonly entry: RequestEntry }) {
  const { tone, word } = describeAnswer(entry);
  return <Badge tone={tone}>{word}</Badge>;
}

/** The outcomes of a request, with what is beside them. */
export function OutcomeBadges({
  entry,
  withAnswer = false,
  children,
}: {
  readonly entry: RequestEntry;
  /** Whether its answer is the first of them. */
  readonly withAnswer?: boolean;
  readonly children?: ComponentChildren;
}) {
  return (
    <span class="badges">
      {withAnswer && <AnswerBadge entry={entry} />}
      {describeOutcomes(entry).map(({ tone, word }) => (
        <Badge tone={tone} key={word}>
          {word}
        </Badge>
      ))}
      {children}
    </span>
  );
}
