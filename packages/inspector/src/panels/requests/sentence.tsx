import { patterns } from '@orgchat/spec/patterns';
import type { ComponentChildren } from 'preact';
import { CopyButton } from '../../components/controls.tsx';
import { toHref } from '../../components/route.ts';
import { Value } from '../../components/value.tsx';
import { RequestLink } from './request-link.tsx';
import { findCandidateResource } from './request-words.ts';

/** A pattern without its anchors. */
const toPart = ({ source }: RegExp): string => source.slice(1, -1);

/** What can be used instead: the name and the id of a record, as `"VIP" (id)`, and what separates it from the next. */
const candidate = new RegExp(String.raw`("(?:[^"\\]|\\.)*") \((${toPart(patterns.uuid)})\)(?:, )?`);

/** Revisions of 64 digits, ids and times, which are hard to read in a sentence as they are. */
const unreadable = new RegExp(
  String.raw`\b(${toPart(patterns.revision)}|${toPart(patterns.uuid)}|req-[0-9a-z-]+|\d{4}-\d\d-\d\dT[\d:.]+Z)\b`,
);

/** A sentence in which requests are links, and ids, revisions and times are as elsewhere on the page. So is what it only counts. */
export function formatSentence(sentence: string): ComponentChildren {
  const resource = findCandidateResource(sentence);
  // Two groups: the name and the id.
  const pieces = sentence.split(candidate);
  return pieces.map((piece, index) => {
    if (index % 3 === 2) return null;
    if (index % 3 === 1) return <Candidate key={index} name={piece} id={pieces[index + 1] ?? ''} />;
    const [, more] = (index > 0 && resource !== undefined && /^ ?and (\d+ more)\.$/.exec(piece)) || [];
    if (more === undefined || resource === undefined) return formatText(piece);
    return (
      <span key={index}>
        {' '}
        and <a href={toHref('records', resource)}>{more}</a>.
      </span>
    );
  });
}

/** A record to use instead, in a line of its own. */
const Candidate = ({ name, id }: { readonly name: string; readonly id: string }) => (
  <span class="candidate">
    <span>{name}</span>
    <span class="to-copy">
      <code>{id}</code> <CopyButton text={id} label="Copy" />
    </span>
  </span>
);

const formatText = (sentence: string): ComponentChildren =>
  sentence.split(unreadable).map((piece, index) => {
    if (index % 2 === 0) return piece;
    if (piece.startsWith('req-')) return <RequestLink id={piece} key={index} />;
    // What to use is shown as a whole, and can be copied.
    return sentence.startsWith('Use ') ? (
      <span class="to-copy" key={index}>
        <code>{piece}</code> <CopyButton text={piece} label="Copy" />
      </span>
    ) : (
      <Value of={piece} key={index} />
    );
  });
