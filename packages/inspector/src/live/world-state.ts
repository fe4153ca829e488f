import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { messageOf, sendControl, toError } from '../control-api/client.ts';
import { type ChangeName, onChange, onResync } from './changes.ts';
import type { Loaded, Resource } from './resource.ts';

export interface StateKey {
  readonly key: string;
  readonly name: string;
  readonly scope: 'read' | 'write';
  readonly revoked: boolean;
  readonly suspended: boolean;
  readonly editor: boolean;
  readonly accountIds: readonly string[] | null;
}

export interface StateOrganization {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly runtime: 'up' | 'down';
  readonly studio: boolean;
  readonly deleted: boolean;
  readonly usage: { readonly month: string; readonly used: number };
  readonly keys: readonly StateKey[];
}

/** The parts of a saved state that this page shows. */
export interface WorldState {
  readonly plans: Readonly<Record<string, { readonly monthlyRequests: number }>>;
  readonly organizations: readonly [StateOrganization, ...StateOrganization[]];
  /** When the counted requests of each key arrived, in milliseconds since 1970. */
  readonly windows: Readonly<Record<string, readonly number[]>>;
}

/** A larger state is read only when the person asks for it. */
const largeBytes = 8_000_000;

const loaded = signal<Loaded<WorldState>>({ data: undefined, error: undefined });
/** The size of a state that is too large to be read again with every change. */
export const largeState = signal<number | undefined>(undefined);

let isReading = false;
let isStale = false;

/** Reads the state, even if it is large. */
export async function readState(): Promise<void> {
  isReading = true;
  isStale = false;
  try {
    const response = await sendControl('GET', 'state');
    if (!response.ok) throw await toError(response);
    const bytes = Number(response.headers.get('content-length'));
    largeState.value = bytes > largeBytes ? bytes : undefined;
    loaded.value = { data: (await response.json()) as WorldState, error: undefined };
  } catch (error) {
    loaded.value = { data: loaded.value.data, error: messageOf(error) };
  }
  setTimeout(() => {
    isReading = false;
    if (isStale) reload();
  }, 500);
}

function reload(): void {
  isStale = true;
  if (!isReading && largeState.value === undefined) void readState();
}

/** The state of this mock while a panel is shown, read again with the changes that matter to it. */
export function useWorldState(changes: readonly ChangeName[]): Resource<WorldState> {
  const names = changes.join();
  useEffect(() => {
    void readState();
    const stops = [onChange(({ name }) => names.includes(name) && reload()), onResync(reload)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [names]);
  return { loaded: loaded.value, reload: () => void readState() };
}
