import type { ClientEvent } from '@orgchat/sdk';

/** A shorter wait is not worth a line. */
const shortestMs = 2_000;
/** After this time past its end, a reported wait is over and the next one is reported. */
const slackMs = 1_000;

/**
 * Reports long waits for the rate limit or a retry, one line each, no matter how many calls wait. `now` returns
 * milliseconds.
 */
export function reportWaits(
  say: (line: string) => void,
  perMinute: number,
  now: () => number = () => performance.now(),
): (event: ClientEvent) => void {
  let limited = false;
  let toldUntil = Number.NEGATIVE_INFINITY;

  const begin = (ms: number, what: string): void => {
    if (ms < shortestMs || now() < toldUntil) return;
    toldUntil = now() + ms + slackMs;
    say(`Waiting ${Math.ceil(ms / 1_000)} s ${what}.`);
  };

  return (event) => {
    if (event.type === 'attempt') limited = event.status === 429;
    if (event.type !== 'wait') return;
    if (event.reason === 'pacing') {
      const requests = perMinute === 1 ? '1 request' : `${perMinute} requests`;
      begin(event.ms, `for the rate limit (${requests} per minute; change it with --pacing N)`);
    } else if (limited) begin(event.ms, 'because the server reported a rate limit');
    else begin(event.ms, 'before the next attempt');
  };
}
