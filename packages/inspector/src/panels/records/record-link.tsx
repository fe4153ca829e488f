import { CopyableId } from '../../components/copyable-id.tsx';
import { toHref } from '../../components/route.ts';
import { listedResources } from '../../generated/control-api.ts';

interface RecordLinkProps {
  readonly resource: string | null;
  readonly id: string;
  readonly name?: string | null;
  /** Whether the name stands for the id, as in a list. */
  readonly isShort?: boolean;
  /** Whether the id has a button that copies it. */
  readonly isCopyable?: boolean;
}

/** The name and the id of a record, as a link to it if the panel lists its resource. */
export function RecordLink({
  resource,
  id,
  name = null,
  isShort = false,
  isCopyable = false,
}: RecordLinkProps) {
  const isListed = resource !== null && listedResources.some((listed) => listed === resource);
  const code = <code>{id}</code>;
  const text = name === null ? code : name;
  return (
    <>
      {isListed ? (
        <a href={toHref('records', resource, id)} title={id}>
          {text}
        </a>
      ) : (
        text
      )}
      {name !== null && !isShort && (
        <span class="line quiet">{isCopyable ? <CopyableId id={id} /> : code}</span>
      )}
    </>
  );
}
