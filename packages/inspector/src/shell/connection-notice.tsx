import { needsToken } from '../control-api/client.ts';
import { connect, connection, refusal } from '../live/connection.ts';

const words = { connecting: 'Connecting', live: 'Live', lost: 'Disconnected' } as const;

/** Whether what is shown is up to date, in a word. */
export function ConnectionSign() {
  const state = needsToken.value ? 'lost' : connection.value;
  return (
    <span class={`sign sign-${state}`}>
      <span class="sign-dot" aria-hidden="true" />
      {needsToken.value ? 'Token required' : words[state]}
    </span>
  );
}

/** Says that the mock does not answer. The page stays usable and tries again by itself. */
export function ConnectionNotice() {
  return (
    <div role="status" class="connection">
      {connection.value === 'lost' && !needsToken.value && (
        <div class="notice notice-warn">
          <p>
            <strong>{refusal.value ?? 'The mock does not answer.'}</strong> What you see is from before. This
            page connects again as soon as the mock is back.
          </p>
          <button type="button" class="button" onClick={connect}>
            Connect now
          </button>
        </div>
      )}
    </div>
  );
}
