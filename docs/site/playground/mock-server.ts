/* What `@orgchat/mock-server/browser` exports, with mocks whose requests the page shows. */
export * from '@orgchat/mock-server/browser';
export { createMock } from './mocks.ts';
