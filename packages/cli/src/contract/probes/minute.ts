import { isOutage, outage, readRefusal } from '../answers.ts';
import type { Finding, Probe } from '../probe.ts';

const topics = ['limits.minute', 'codes.rateLimited', 'limits.retryAfter'] as const;

/** Requests beyond the limit that are sent before it counts as not enforced. */
const spare = 5;

/** Asks for the account until the limit per minute refuses. Nobody else can use the key for a minute after that. */
export const minuteProbe: Probe = {
  name: 'minute/exhausted',
  group: 'minute',
  topics,
  async ask({ sendNow, account: { perMinute } }) {
    for (let sent = 0; sent < perMinute + spare; sent++) {
      const answer = await sendNow({ method: 'GET', path: '/me' });
      if (isOutage(answer)) return topics.map((topic) => outage(topic, 'GET /me', answer));
      if (answer.status !== 429) continue;
      const { retryAfter } = answer;
      const form: Finding =
        retryAfter === 'other'
          ? {
              topic: 'limits.retryAfter',
              place: 'GET /me',
              unknown: 'Retry-After is neither seconds nor a date',
            }
          : { topic: 'limits.retryAfter', place: 'GET /me', fact: retryAfter };
      return [
        ...readRefusal(answer, 'GET /me', 'rateLimited', { topic: 'limits.minute', clause: '8.1' }),
        form,
      ];
    }
    return [{ topic: 'limits.minute', place: 'GET /me', fact: 'not refused' }];
  },
};
