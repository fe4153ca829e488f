import { CopyButton } from './controls.tsx';

interface RevisionProps {
  readonly of: string;
  /** Whether it has a button that copies the whole of it. */
  readonly isCopyable?: boolean;
}

/** A revision, of which the start is enough to compare two; the whole is its title. */
export function Revision({ of, isCopyable = false }: RevisionProps) {
  const start = (
    <code class="revision" title={of}>
      {of.length > 14 ? `${of.slice(0, 12)}…` : of}
    </code>
  );
  if (!isCopyable) return start;
  return (
    <span class="to-copy">
      {start} <CopyButton text={of} label="Copy" />
    </span>
  );
}
