import { expect } from 'vitest';
import { createMock, type Mock } from '../src/index.ts';
import { ControlError } from '../src/input-checks/control-error.ts';
import { Caller } from './caller.ts';
import { data } from './data.ts';

export const tagChange = { action: 'create-tags', data: data.tags };

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

/** A mock with a history. */
export const createWithHistory = (history = 100): { mock: Mock; caller: Caller } => {
  const mock = createMock({ history, rateLimit: 'off' });
  return { mock, caller: new Caller(mock) };
};

/** Creates tags, and returns the ids of the requests. */
export const createTags = async (mock: Mock, count: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) {
    expect((await new Caller(mock).apply(tagChange)).status).toBe(200);
    ids.push(lastId(mock));
  }
  return ids;
};

export const countTags = async (mock: Mock): Promise<number> =>
  (await new Caller(mock).read({ resource: 'tags' })).body.total;

/** What a call is refused with. */
export const getRefusal = (
  run: () => unknown,
): Pick<ControlError, 'status' | 'code' | 'message' | 'extra'> => {
  try {
    run();
  } catch (error) {
    if (error instanceof ControlError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
};
