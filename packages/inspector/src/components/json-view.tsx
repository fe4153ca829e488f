import { useState } from 'preact/hooks';
import { CopyButton } from './controls.tsx';

/** Characters that are shown at first. A browser is slow with one text of megabytes. */
const shownAtFirst = 20_000;

/** A JSON value or a text as it came, with a way to all of it and to the clipboard. */
export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  const [isWhole, setWhole] = useState(false);
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const isCut = text.length > shownAtFirst && !isWhole;
  return (
    <div class="code">
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{isCut ? text.slice(0, shownAtFirst) : text}</code>
      </pre>
      <div class="code-actions">
        {isCut && (
          <button type="button" class="button button-quiet" onClick={() => setWhole(true)}>
            Show all {text.length.toLocaleString('en-US')} characters
          </button>
        )}
        <CopyButton text={text} label="Copy" />
      </div>
    </div>
  );
}

/** A command or program to copy. */
export function Snippet({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div class="snippet">
      <div class="snippet-head">
        <span>{label}</span>
        <CopyButton text={text} label="Copy" />
      </div>
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
