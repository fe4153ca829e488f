import { accountResponse, isObject } from '@orgchat/spec';
import { isOutage, outage } from '../answers.ts';
import type { Probe } from '../probe.ts';
import type { ProbeResult } from '../probe-result.ts';
import { readDates } from '../read-dates.ts';

const topics = ['account.answer', 'limits.perMinute', 'behavior.requestIdOn2xx', 'behavior.dates'] as const;

/** The clauses about credits. */
const credits = ['4.1.10', '4.1.11', '4.1.12', '4.1.13'];

/** The account of the key. The run begins with its answer, so it is asked in every run. */
export const accountProbe: Probe = {
  name: 'account/me',
  group: 'account',
  topics,
  clauses: [
    '4.1.3',
    '4.1.6',
    '4.1.7',
    '4.1.8',
    '4.1.9',
    ...credits,
    '4.1.14',
    '4.1.15',
    '4.1.16',
    '4.1.17',
    '8.1',
  ],
  async ask({ send }) {
    const answer = await send({ method: 'GET', path: '/me' });
    if (isOutage(answer)) return topics.map((topic) => outage(topic, 'GET /me', answer));
    const { json, status, request, hasRequestId } = answer;
    const parsed = accountResponse.safeParse(json);
    if (status !== 200 || !parsed.success) {
      const problem = parsed.error?.issues[0]?.path.join('.') ?? '';
      const what =
        status === 200
          ? `GET /me: ${problem === '' ? 'the body' : problem} is not as described`
          : `GET /me: answered ${status}`;
      return [{ topic: 'account.answer', clause: '4.1.3', what, requests: [request] }];
    }
    const results: ProbeResult[] = [
      { topic: 'account.answer', place: 'GET /me', fact: 'as described' },
      { topic: 'limits.perMinute', place: 'GET /me', fact: parsed.data.api.perMinute },
      { topic: 'behavior.requestIdOn2xx', place: 'GET /me', fact: hasRequestId },
    ];
    const credits = isObject(json) ? json.credits : undefined;
    return [...results, ...readDates(credits, 'GET /me')];
  },
};
