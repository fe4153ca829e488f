import { batch, computed, signal } from '@preact/signals';
import { callControl, toMessage } from '../control-api/client.ts';
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

/** Reads the whole log again. */
export async function readRequests(): Promise<void> {
  const read = rows.beginRead();
  try {
    const { requests: entries, dropped } = await callControl<RequestList>('GET', 'requests');
    if (!rows.finishRead(read, entries)) return;
    batch(() => {
      droppedRequests.value = dropped.entries;
      hasRequests.value = true;
      requestsError.value = undefined;
      version.value++;
    });
  } catch (error) {
    if (rows.failRead(read)) requestsError.value = toMessage(error);
  }
}

/** Empties the log of the mock and of this page. */
export async function clearRequests(): Promise<void> {
  await callControl('DELETE', 'requests');
  await readRequests();
}

onResync(() => void readRequests());
onChange((change) => {
  if (change.name !== 'request') return;
  rows.add(change.data);
  showSoon();
});
