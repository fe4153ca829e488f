import { Time } from '../../components/time.tsx';
import { useControl } from '../../live/resource.ts';
import { RecordLink } from './record-link.tsx';
import type { ListedRecord, RecordFields } from './record-lists.ts';

/** More than a mock has, so that one call reads all. */
const everything = 10_000_000;

/** The scenarios that a friend is or was enrolled in, with their status. */
export function Enrollments({ friend: { fields } }: { readonly friend: ListedRecord }) {
  const { data } = useControl<{ readonly records: readonly RecordFields[] }>(
    `records?resource=friend-automations&limit=${everything}`,
    ['record', 'operation', 'sandbox'],
  ).loaded;
  const enrollments =
    data?.records.filter(
      ({ accountId, userId }) => accountId === fields.accountId && userId === fields.userId,
    ) ?? [];
  if (enrollments.length === 0) return <span class="none">{data === undefined ? '…' : 'none'}</span>;
  return (
    <>
      {enrollments.map(({ id, scenarioId, scenarioName, status, enrolledAt }) => (
        <span class="line" key={String(id)}>
          <RecordLink resource="scenarios" id={String(scenarioId)} name={toName(scenarioName)} isShort />{' '}
          <span class="quiet">{String(status)}</span>
          <span class="line quiet small">
            <RecordLink resource="friend-automations" id={String(id)} name="enrollment" isShort /> of{' '}
            <Time at={String(enrolledAt)} withDate />
          </span>
        </span>
      ))}
    </>
  );
}

const toName = (name: unknown): string | null => (typeof name === 'string' ? name : null);
