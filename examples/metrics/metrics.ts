import { subscribe } from 'node:diagnostics_channel';
import type { Outbox, StoredPacing } from '@orgchat/fleet/postgres';
import type { ClientEvent, OrgChatClient } from '@orgchat/sdk';

/** What is measured. Leave out what you do not use. */
export interface Sources {
  readonly client: OrgChatClient;
  readonly box?: Outbox;
  readonly pacing?: StoredPacing;
}

/** How often account() is asked for the quota, in milliseconds: each time is a request. */
const quotaMs = 900_000;

/**
 * Returns what answers a scrape of Prometheus, in its text format. Nothing is measured between two scrapes but the events
 * of the stores of this process, which are counted. alerts.yml has the rules for it.
 */
export function createMetrics({ client, box, pacing }: Sources): () => Promise<string> {
  const events = new Map<string, number>();
  subscribe('orgchat', (message) => {
    const event = message as ClientEvent;
    if (event.type !== 'fleet') return;
    const labels = `{event="${event.event}",store="${event.store}"}`;
    events.set(labels, (events.get(labels) ?? 0) + 1);
  });

  let quotaLeft: Promise<number> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  /** Returns the part of the monthly quota that is left. */
  function getQuotaLeft(): Promise<number> {
    if (quotaLeft === undefined || performance.now() - askedAt > quotaMs) {
      askedAt = performance.now();
      quotaLeft = client.account().then(({ api }) => (api.limit - api.used) / api.limit);
      // What failed is asked again at the next scrape.
      quotaLeft.catch(() => {
        quotaLeft = undefined;
      });
    }
    return quotaLeft;
  }

  return async () => {
    const lines: string[] = [];
    const add = (name: string, value: number | undefined, labels = ''): void => {
      if (value !== undefined) lines.push(`orgchat_${name}${labels} ${value}`);
    };
    // What cannot be measured is left out. Of a store, `orgchat_up` says so.
    const measurements = [
      async () => {
        const { oldestOpenMs = 0, open, refused } = await client.operations.stats();
        add('operations', open, '{state="open"}');
        add('operations', refused, '{state="refused"}');
        add('operations_oldest_open_seconds', oldestOpenMs / 1_000);
      },
      async () => {
        const counts = await box?.stats();
        add('outbox_changes', counts?.open, '{state="open"}');
        add('outbox_changes', counts?.refused, '{state="refused"}');
        add('outbox_changes', counts?.unknown, '{state="unknown"}');
        add('outbox_oldest_open_seconds', counts && (counts.oldestOpenMs ?? 0) / 1_000);
      },
      async () => {
        const line = await pacing?.stats({ perMinute: 60 });
        add('pacing_waiting', line?.waiting);
        add('pacing_wait_seconds', line && (line.waitMs ?? 0) / 1_000);
      },
    ];
    const quota = getQuotaLeft().then(
      (left) => add('quota_left_ratio', left),
      () => undefined,
    );
    const results = await Promise.allSettled(measurements.map((measure) => measure()));
    await quota;
    add('up', results.every(({ status }) => status === 'fulfilled') ? 1 : 0);
    for (const [labels, count] of events) add('fleet_events_total', count, labels);
    return `${lines.join('\n')}\n`;
  };
}
