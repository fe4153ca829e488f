import { toHref } from '../../components/route.ts';
import { Time } from '../../components/time.tsx';
import type { ChangeOperation } from '../../control-api/types.ts';
import { requests } from '../../live/requests.ts';
import { useControl } from '../../live/resource.ts';
import { OutcomeBadges } from './outcome-badges.tsx';
import { RequestLink } from './request-link.tsx';

/** All requests with an operationId, oldest first: a lost answer and its replay are one change. */
export function OperationStory({
  operationId,
  current,
}: {
  readonly operationId: string;
  /** The request whose detail it is in. */
  readonly current?: number;
}) {
  const entries = requests.value.filter((entry) => entry.operationId === operationId);
  if (entries.length < (current === undefined ? 1 : 2)) return null;
  return (
    <section>
      <h3>Requests in the log with this operationId</h3>
      <ol class="history story">
        {entries.map((entry) => (
          <li key={entry.id}>
            <Time at={entry.receivedAt} />
            {entry.id === current ? <strong>this request</strong> : <RequestLink id={entry.requestId} />}
            <OutcomeBadges entry={entry} withAnswer />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** An operationId, as a link if the mock has stored its operation. */
export function OperationLink({ id }: { readonly id: string }) {
  const list = useControl<{ readonly operations: readonly ChangeOperation[] }>('operations', [
    'operation',
    'sandbox',
  ]);
  const code = <code>{id}</code>;
  const { data } = list.loaded;
  if (data === undefined) return code;
  return data.operations.some(({ operationId }) => operationId === id) ? (
    <a href={toHref('operations', id)}>{code}</a>
  ) : (
    <>
      {code}
      <span class="line quiet">
        not in the list of operations: a change that is refused at once is not stored
      </span>
    </>
  );
}
