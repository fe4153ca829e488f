import {
  type BrowserMock,
  type BrowserMockOptions,
  createMock as createBrowserMock,
} from '@orgchat/mock-server/browser';

/** The mocks that the code of the playground created: the page shows what they received. */
export const mocks: BrowserMock[] = [];

export function createMock(options?: BrowserMockOptions): BrowserMock {
  const mock = createBrowserMock(options);
  mocks.push(mock);
  return mock;
}
