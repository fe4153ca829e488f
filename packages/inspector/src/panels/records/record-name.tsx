/** The name of a record in a list, or its id if nobody knows a name. */
export function RecordName({ name, id }: { readonly name: string | null; readonly id: string }) {
  if (name === null) return <code class="quiet">{id}</code>;
  return (
    <span class="cut" title={id}>
      {name}
    </span>
  );
}
