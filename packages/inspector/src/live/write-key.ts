import { signal } from '@preact/signals';
import { sendControl } from '../control-api/client.ts';
import { onResync } from './changes.ts';

/** A key that may write, or a placeholder if there is none, for commands to copy; undefined until it is known. */
export const writeKey = signal<string | undefined>(undefined);

onResync(() => void readKey());

/** The start page of the mock names such a key. */
async function readKey(): Promise<void> {
  try {
    const response = await sendControl('GET', '../', { headers: { Accept: 'application/json' } });
    const about = (await response.json()) as { readonly writeKey: string | null };
    writeKey.value = about.writeKey ?? 'KEY';
  } catch {
    // The commands then show the key of the demo.
  }
}
