import type { ClientEvent } from '@orgchat/sdk';

/** A shorter wait is not worth a line. */
const shortestMs = 2_000;
/** Past its end by so much, a wait that was told of is over, and the next one is told of again. */
const slackMs = 1_000;
const minuteMs = 60_000;

/**
 * Tells of waits that a person would take for a standstill, one line each however many calls wait: for the minute
 * limit, or before another try. `now` counts milliseconds.
 */
export function tellWaits(
  say: (line: string) => void,
  perMinute: number,
  now: () => number = () => performance.now(),
): (event: ClientEvent) => void {
  /** When the requests of the last minute were sent. */
  const sent: number[] = [];
  let limited = false;
  let toldUntil = Number.NEGATIVE_INFINITY;

  const begin = (ms: number, what: string): void => {
    if (ms < shortestMs || now() < toldUntil) return;
    toldUntil = now() + ms + slackMs;
    say(`waiting ${Math.ceil(ms / 1_000)} s ${what}`);
  };

  return (event) => {
    if (event.type === 'attempt') {
      limited = event.status === 429;
      sent.push(now() - event.durationMs);
      if (sent.length > perMinute) sent.shift();
    }
    if (event.type !== 'wait') return;
    if (event.reason === 'pacing') {
      // Room is made by the one that was sent so many requests ago.
      const oldest = sent.length < perMinute ? now() : (sent[0] ?? now());
      const ms = event.ms ?? oldest + minuteMs - now();
      begin(ms, `for the minute limit (${perMinute} a minute; where more is allowed: --pacing N)`);
    } else if (limited) begin(event.ms ?? 0, 'for the minute limit, as the server asks');
    else begin(event.ms ?? 0, 'before another try');
  };
}
