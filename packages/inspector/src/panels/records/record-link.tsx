import { toHref } from '../../components/route.ts';
import { listedResources } from '../../generated/control-api.ts';

/** The id of a record, as a link to it if the panel lists its resource. */
export function RecordLink({ resource, id }: { readonly resource: string | null; readonly id: string }) {
  const text = <code>{id}</code>;
  if (resource === null || !listedResources.some((name) => name === resource)) return text;
  return <a href={toHref('records', resource, id)}>{text}</a>;
}
