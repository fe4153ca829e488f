import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import { answerParent } from '../support/channel.ts';

/* The load: 20 connections, each with the next request when it has its answer. */

const fresh = '{fresh}';

answerParent({
  async run({ url, headers, body, seconds }) {
    const request = { method: 'POST', headers, body };
    if (body.includes(fresh)) {
      const [before, after] = body.split(fresh);
      request.setupRequest = (own) => ({ ...own, body: before + randomUUID() + after });
    }
    const result = await autocannon({ url, connections: 20, duration: seconds, requests: [request] });
    const { errors, timeouts, non2xx } = result;
    if (errors + timeouts + non2xx > 0) {
      throw new Error(`${url}: ${non2xx} answers were no 2xx, ${errors} errors, ${timeouts} timeouts`);
    }
    return { requests: result.requests.total, rate: result.requests.total / result.duration };
  },
});
