import { signal } from '@preact/signals';
import { sendControl } from '../control-api/client.ts';
import { onResync } from './changes.ts';

/** The sandbox that a page is of. */
export interface OwnSandbox {
  readonly id: string;
  readonly name: string | null;
  /** The inspector of the mock that it was created from. */
  readonly parentInspector: string;
}

/** What the start page of the mock says. */
interface StartPage {
  readonly writeKey: string | null;
  readonly sandbox?: OwnSandbox;
}

/** A key that may write, or a placeholder if there is none, for commands to copy; undefined until it is known. */
export const writeKey = signal<string | undefined>(undefined);

/** Undefined for the page of a mock that is not a sandbox. */
export const ownSandbox = signal<OwnSandbox | undefined>(undefined);

onResync(() => void readStartPage());

async function readStartPage(): Promise<void> {
  try {
    const response = await sendControl('GET', '../', { headers: { Accept: 'application/json' } });
    const about = (await response.json()) as StartPage;
    writeKey.value = about.writeKey ?? 'KEY';
    ownSandbox.value = about.sandbox;
  } catch {
    // The commands then show the key of the demo.
  }
}
