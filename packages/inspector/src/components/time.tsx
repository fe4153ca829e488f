/** A moment: the time of day, with the whole moment on demand. */
export function Time({ at, withDate = false }: { readonly at: string; readonly withDate?: boolean }) {
  return (
    <time dateTime={at} title={at}>
      {withDate && `${at.slice(0, 10)} `}
      {at.slice(11, 23)}
    </time>
  );
}
