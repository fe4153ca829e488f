/** A moment: the time of day, with the whole moment on demand. */
export function Time({ at, withDate = false }: { readonly at: string; readonly withDate?: boolean }) {
  const text = withDate ? `${at.slice(0, 10)} ${at.slice(11, 19)}` : at.slice(11, 23);
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  );
}
