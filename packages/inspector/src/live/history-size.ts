import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { callControl } from '../control-api/client.ts';
import type { Limits } from '../control-api/types.ts';

const size = signal<number | undefined>(undefined);

/** Number of states that the history of the mock keeps, 0 if it is off, and undefined until it is known. */
export function useHistorySize(): readonly [number | undefined, (size: number) => void] {
  useEffect(() => {
    // Without a field, it changes nothing and returns the limits.
    callControl<Limits>('PATCH', 'limits', {}).then(
      ({ history }) => {
        size.value = history;
      },
      () => {},
    );
  }, []);
  return [
    size.value,
    (next) => {
      size.value = next;
    },
  ];
}
