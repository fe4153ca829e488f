import { signal } from '@preact/signals';
import { sendControl } from '../control-api/client.ts';
import { onResync } from './changes.ts';

/** A key that may write, for commands to copy; undefined until it is known. */
export const writeKey = signal<string | undefined>(undefined);

onResync(() => void readKey());

/** The start page of the mock has a command with such a key. */
async function readKey(): Promise<void> {
  try {
    const response = await sendControl('GET', '../', { headers: { Accept: 'application/json' } });
    const { tryThis = '' } = (await response.json()) as { tryThis?: string };
    writeKey.value = /Bearer ([^']+)'/.exec(tryThis)?.[1];
  } catch {
    // The commands then show the key of the demo.
  }
}
