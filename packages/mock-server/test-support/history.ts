import type { Mock } from '../src/index.ts';

/** A saved state as tests read it. */
interface State {
  readonly organizations: readonly Readonly<Record<string, unknown>>[];
}

/** What a rewind restores: a saved state without its time, its clock and what counts for limits. */
export function readState(mock: Mock): object {
  const { organizations, ...state } = mock.state() as State & Readonly<Record<string, unknown>>;
  return {
    ...state,
    savedAt: '',
    clock: '',
    windows: '',
    organizations: organizations.map((organization) => ({ ...organization, usage: '' })),
  };
}

/** The same without the requestIds, which differ if requests are sent again. */
export const readStateWithoutRequests = (mock: Mock): object =>
  JSON.parse(
    JSON.stringify(readState(mock), (name, value: unknown) => (name === 'requestId' ? '' : value)),
  ) as object;

/** The id of the latest request. */
export const lastId = (mock: Mock): number => mock.requests.list().at(-1)?.id ?? 0;
