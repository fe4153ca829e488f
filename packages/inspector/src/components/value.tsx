import { patterns } from '@orgchat/spec/patterns';
import type { ComponentChildren } from 'preact';
import { Revision } from './revision.tsx';
import { Time } from './time.tsx';

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const isRequestId = /^req-[0-9a-z-]+$/;
const idPatterns = [patterns.uuid, patterns.friendId, isRequestId];

/** A value of a record as people read it: moments without their letters, ids in equal widths, revisions cut. */
export function Value({ of }: { readonly of: unknown }): ComponentChildren {
  if (of === null || of === undefined || of === '') return <span class="none">none</span>;
  if (Array.isArray(of)) {
    if (of.length === 0) return <span class="none">none</span>;
    return of.map((item, index) => (
      <span class="line" key={index}>
        <Value of={item} />
      </span>
    ));
  }
  const text = typeof of === 'string' ? of : JSON.stringify(of);
  if (isTime.test(text)) return <Time at={text} withDate />;
  if (patterns.revision.test(text)) return <Revision of={text} />;
  // Not the text itself: only what is in an element shows unsafe characters.
  return idPatterns.some((pattern) => pattern.test(text)) ? <code>{text}</code> : <span>{text}</span>;
}
