import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** One thing of a list, beside the list or in its place on a narrow screen. It takes the focus; Escape closes it. */
export function DetailPane({
  title,
  close,
  children,
}: {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <article
      class="detail"
      aria-labelledby="detail-title"
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <header class="detail-head">
        <h2 id="detail-title" tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </header>
      {children}
    </article>
  );
}
