import { isOutage, outage, readRefusal } from '../answers.ts';
import type { Probe } from '../probe.ts';
import type { ProbeResult } from '../probe-result.ts';
import { minuteMs } from '../run-file.ts';

const topics = ['limits.minute', 'codes.rateLimited', 'limits.retryAfter'] as const;

/** Requests beyond the limit that are sent before it counts as not enforced. */
const spare = 5;

/** A minute that ends while they are sent, as one of the clock may, allows as many again. */
const minutes = 2;

const tooSlow = (topic: (typeof topics)[number]): ProbeResult => ({
  topic,
  place: 'GET /me',
  unknown: 'the answers took so long that the limit was not reached in a minute',
});

/** Asks for the account until the limit per minute refuses. Nobody else can use the key for a minute after that. */
export const minuteProbe: Probe = {
  name: 'minute/exhausted',
  group: 'minute',
  topics,
  clauses: ['8.1', '7.1.1'],
  async ask({ sendNow, now, account: { perMinute } }) {
    const startedAt = now();
    for (let sent = 0; sent < minutes * perMinute + spare; sent++) {
      if (now() - startedAt >= minuteMs) return topics.map(tooSlow);
      const answer = await sendNow({ method: 'GET', path: '/me' });
      if (isOutage(answer)) return topics.map((topic) => outage(topic, 'GET /me', answer));
      if (answer.status !== 429) continue;
      const { retryAfter } = answer;
      const form: ProbeResult =
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
