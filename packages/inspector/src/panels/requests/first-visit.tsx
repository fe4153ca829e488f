import { Snippet } from '../../components/json-view.tsx';
import { Empty, Panel } from '../../components/panel.tsx';
import { baseUrl } from '../../control-api/client.ts';
import { writeKey } from '../../live/start-page.ts';

/** What a person sees before the first request: commands to copy, and what to look at then. */
export function FirstVisit() {
  const key = writeKey.value ?? 'demo-write-key';
  const body = JSON.stringify({ resource: 'tags' });
  return (
    <Panel title="Requests">
      <Empty title="No requests yet">
        <p>Send one from another terminal. It appears here at once, with what the mock did and why.</p>
        <Snippet
          label="curl"
          text={`curl -s ${baseUrl}/me \\\n  -H 'Authorization: Bearer ${key}'\n\ncurl -s ${baseUrl}/chat/read \\\n  -H 'Authorization: Bearer ${key}' \\\n  -H 'Content-Type: application/json' \\\n  --data '${body}'`}
        />
        <Snippet
          label="TypeScript"
          text={`import { createClient } from '@orgchat/sdk';\n\nconst client = createClient({\n  apiKey: '${key}',\n  baseUrl: '${baseUrl}',\n});\nconst tag = await client.tags.create({ name: 'Spring', color: 'green' });`}
        />
        <h2>Then try a lost answer</h2>
        <ol class="steps">
          <li>
            In <a href="#/faults">Faults</a>, choose “Lose the next answer to a change”.
          </li>
          <li>Create a tag with the SDK. The first answer is lost, and the SDK sends the change again.</li>
          <li>Here you see two requests with one operationId: applied, then replayed. There is one tag.</li>
        </ol>
      </Empty>
    </Panel>
  );
}
