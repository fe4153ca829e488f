/** A moment: the time of day, with the whole moment on demand. Narrow lists leave out the milliseconds. */
export function Time({ at, withDate = false }: { readonly at: string; readonly withDate?: boolean }) {
  return (
    <time dateTime={at} title={at}>
      {withDate && `${at.slice(0, 10)} `}
      {at.slice(11, 19)}
      {!withDate && <span class="milliseconds">{at.slice(19, 23)}</span>}
    </time>
  );
}
