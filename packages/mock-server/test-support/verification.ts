import { ControlError, createMock, type Mock, type MockOptions, type Verification } from '../src/index.ts';

export type Filter = Omit<Verification, 'times'>;

/** A mock without limits, whose requests are verified. */
export const openUnlimited = (options: MockOptions = {}): Mock =>
  createMock({ rateLimit: 'off', monthlyLimit: 'off', ...options });

/** The message of the refusal, or undefined if the verification is not refused. */
export function verify(mock: Mock, filter: Filter, times: Verification['times'] = 0): string | undefined {
  try {
    mock.requests.verify({ ...filter, times });
    return undefined;
  } catch (error) {
    if (error instanceof ControlError && error.status === 400) return error.message;
    throw error;
  }
}
