import type { ComponentChildren } from 'preact';
import { Revision } from './revision.tsx';
import { Time } from './time.tsx';

const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const isRevision = /^[0-9a-f]{64}$/;
const isId = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|U[0-9a-f]{32}|req-[0-9a-z-]+)$/;

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
  if (isMoment.test(text)) return <Time at={text} withDate />;
  if (isRevision.test(text)) return <Revision of={text} />;
  return isId.test(text) ? <code>{text}</code> : text;
}
