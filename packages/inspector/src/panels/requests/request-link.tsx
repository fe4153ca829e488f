import { toHref } from '../../components/route.ts';

/** A link to a request by its requestId, which the log may no longer have. */
export function RequestLink({ id }: { readonly id: string }) {
  return (
    <a href={toHref('requests', id)}>
      <code>{id}</code>
    </a>
  );
}
