/** A revision, of which the start is enough to compare two; the whole is its title. */
export function Revision({ of }: { readonly of: string }) {
  return (
    <code class="revision" title={of}>
      {of.length > 14 ? `${of.slice(0, 12)}…` : of}
    </code>
  );
}
