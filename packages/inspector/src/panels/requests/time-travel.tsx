import { useState } from 'preact/hooks';
import { ActionButton, ConfirmButton } from '../../components/controls.tsx';
import { toHref } from '../../components/route.ts';
import { callControl, controlPath } from '../../control-api/client.ts';
import type { Limits, RequestDetail } from '../../control-api/types.ts';
import { useHistorySize } from '../../live/history-size.ts';

/** How many states the history keeps if the page turns it on. */
const keptStates = 100;

/** Goes back to just before a request, or makes a sandbox of that moment, if the mock keeps its history. */
export function TimeTravel({ detail }: { readonly detail: RequestDetail }) {
  const [size, setSize] = useHistorySize();
  const [sandbox, setSandbox] = useState<string>();
  if (size === undefined) return null;
  const turnOn = async (): Promise<void> => {
    const { history } = await callControl<Limits>('PATCH', 'limits', { history: keptStates });
    setSize(history);
  };
  const branch = async (): Promise<void> => {
    const { controlUrl } = await callControl<{ controlUrl: string }>('POST', 'sandboxes', {
      name: `before ${detail.requestId}`,
      from: { requestId: detail.id },
    });
    setSandbox(`${controlPath(controlUrl)}/`);
  };
  return (
    <section>
      <h3>Go back</h3>
      {size === 0 ? (
        <>
          <p>The mock keeps no history. If you turn it on, you can go back to just before a later change.</p>
          <div class="buttons">
            <ActionButton action={turnOn} done="History is on.">
              Turn history on
            </ActionButton>
          </div>
        </>
      ) : (
        <div class="buttons">
          <ConfirmButton
            question="Go back: what came after it is undone"
            action={() => callControl('POST', 'rewind', { requestId: detail.id })}
            done="The mock is as it was before the request."
          >
            Go back to before this request
          </ConfirmButton>
          <ActionButton action={branch} done="The sandbox is made.">
            Make a sandbox of that moment
          </ActionButton>
          {sandbox !== undefined && <a href={sandbox}>Open the sandbox</a>}
        </div>
      )}
      {sandbox !== undefined && (
        <p class="nothing">
          It is also listed in <a href={toHref('sandboxes')}>Sandboxes</a>.
        </p>
      )}
    </section>
  );
}
