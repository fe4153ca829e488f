import { useState } from 'preact/hooks';
import { ActionButton, Field } from '../../components/controls.tsx';
import { toHref } from '../../components/route.ts';
import { callControl } from '../../control-api/client.ts';
import type { RecordFields } from './record-lists.ts';

/** A form that adds a message from a friend to the conversation, which no call of the API can do. */
export function MessageForm({ fields }: { readonly fields: RecordFields }) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [sentId, setSentId] = useState<string>();
  const send = async (): Promise<void> => {
    const friend = [fields.accountId, fields.userId].map((id) => encodeURIComponent(String(id)));
    const { id } = await callControl<{ id: string }>('POST', `friends/${friend.join('/')}/messages`, {
      text,
    });
    setText('');
    setSentId(id);
  };
  if (!isOpen) {
    return (
      <div class="buttons">
        <button type="button" class="button" onClick={() => setOpen(true)}>
          Write as this friend
        </button>
      </div>
    );
  }
  return (
    <form class="form" onSubmit={(event) => event.preventDefault()}>
      <h3>Write as this friend</h3>
      <Field label="Message" hint="It arrives now, as if the friend had sent it.">
        {(attributes) => (
          <textarea
            {...attributes}
            class="message-text"
            value={text}
            placeholder="e.g. Are you open today?"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="form-actions">
        <ActionButton kind="primary" action={send} done="The message has arrived.">
          Send the message
        </ActionButton>
        {sentId !== undefined && <a href={toHref('records', 'messages', sentId)}>Show the last one</a>}
      </div>
    </form>
  );
}
