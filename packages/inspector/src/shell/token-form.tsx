import { useState } from 'preact/hooks';
import { TextField } from '../components/controls.tsx';
import { Panel } from '../components/panel.tsx';
import { setToken, token } from '../control-api/token.ts';

/** Asks for the token of the control API. It is kept in this tab until it is closed. */
export function TokenForm() {
  const [text, setText] = useState('');
  const wasWrong = token.value !== undefined;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (text.trim() !== '') setToken(text.trim());
  };
  return (
    <Panel
      title="Token required"
      about="Other machines can reach this mock, so its control API is protected."
    >
      <form class="form form-short" onSubmit={submit}>
        <TextField
          label="Control token"
          type="password"
          hint="The command orgchat mock start prints it. It stays in this tab, and is never part of an address."
          error={wasWrong ? 'The mock did not accept this token.' : undefined}
          value={text}
          onInput={setText}
        />
        <div class="form-actions">
          <button type="submit" class="button button-primary">
            Continue
          </button>
        </div>
      </form>
    </Panel>
  );
}
