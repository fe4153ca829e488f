import { Time } from '../../components/time.tsx';
import { useControl } from '../../live/resource.ts';
import { RecordLink } from './record-link.tsx';
import type { ListedRecord, RecordFields } from './record-lists.ts';

/** More than a mock has, so that one call reads all. */
const everything = 10_000_000;

/** The enrollments of a friend; undefined until they are read, and without a friend. */
export function useEnrollments(friend: ListedRecord | undefined): readonly RecordFields[] | undefined {
  const { data } = useControl<{ readonly records: readonly RecordFields[] }>(
    friend && `records?resource=friend-automations&limit=${everything}`,
    ['record', 'operation', 'sandbox'],
  ).loaded;
  return data?.records.filter(
    ({ accountId, userId }) => accountId === friend?.fields.accountId && userId === friend?.fields.userId,
  );
}

/** The scenarios that a friend is or was enrolled in, with their status. */
export function Enrollments({ of: enrollments }: { readonly of: readonly RecordFields[] | undefined }) {
  if (enrollments === undefined) return <span class="none">…</span>;
  if (enrollments.length === 0) return <span class="none">none</span>;
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
