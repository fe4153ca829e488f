import { largeState, readState } from '../live/world-state.ts';
import { ActionButton } from './controls.tsx';

/** Says that a large world is not read again with every change. */
export function LargeStateNotice() {
  if (largeState.value === undefined) return null;
  return (
    <div class="notice">
      <p>
        This world has {(largeState.value / 1e6).toFixed(0)} MB, so it is not read again with every change.
      </p>
      <ActionButton action={readState} done="Read again.">
        Read again
      </ActionButton>
    </div>
  );
}
