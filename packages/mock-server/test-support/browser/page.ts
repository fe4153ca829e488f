import { createMock } from '@orgchat/mock-server/browser';
import { sendRequests } from './requests.ts';

/* In a page: the packed mock alone, which the page loads as it is. */
Object.assign(globalThis, {
  result: sendRequests(createMock({ now: () => Date.UTC(2026, 3, 10), randomSeed: 1 })),
});
