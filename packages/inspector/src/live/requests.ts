import { batch, computed, signal } from '@preact/signals';
import { callControl, messageOf } from '../control-api/client.ts';
import type { RequestEntry, RequestList } from '../control-api/types.ts';
import { onChange, onResync } from './changes.ts';
import { RequestRows } from './request-rows.ts';

/* The request log as the page has it. It is kept while other panels are shown. */

const rows = new RequestRows(10_000);
/** Increases with each change of `rows`, at most once per frame. */
const version = signal(0);
/** Number of entries that the log of the mock dropped. */
export const droppedRequests = signal(0);
export const requestsError = signal<string | undefined>(undefined);
/** Whether the log was read once. */
export const hasRequests = signal(false);

/** The requests, oldest first. The array is the same until something changes. */
export const requests = computed<readonly RequestEntry[]>(() => {
  version.value;
  return rows.toArray();
});

let isScheduled = false;
function showSoon(): void {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    isScheduled = false;
    version.value++;
  });
}

/** What arrived while the log was being read: its answer may be older. Undefined if it is not being read. */
let arrived: RequestEntry[] | undefined;

async function readAll(): Promise<void> {
  arrived = [];
  try {
    const { requests: entries, dropped } = await callControl<RequestList>('GET', 'requests');
    batch(() => {
      rows.replace(entries);
      for (const entry of arrived ?? []) rows.add(entry);
      droppedRequests.value = dropped.entries;
      hasRequests.value = true;
      requestsError.value = undefined;
      version.value++;
    });
  } catch (error) {
    requestsError.value = messageOf(error);
  } finally {
    arrived = undefined;
  }
}

/** Empties the log of the mock and of this page. */
export async function clearRequests(): Promise<void> {
  await callControl('DELETE', 'requests');
  await readAll();
}

onResync(() => void readAll());
onChange((change) => {
  if (change.name !== 'request') return;
  rows.add(change.data);
  arrived?.push(change.data);
  showSoon();
});
