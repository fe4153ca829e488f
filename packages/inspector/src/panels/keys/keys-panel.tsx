import { signal } from '@preact/signals';
import { ActionButton, CheckField, CopyButton, SelectField } from '../../components/controls.tsx';
import { LargeStateNotice } from '../../components/large-state.tsx';
import { Badge, Card, Load, Panel } from '../../components/panel.tsx';
import { callControl, messageOf } from '../../control-api/client.ts';
import type { KeyPatch, OrganizationPatch } from '../../control-api/types.ts';
import { type StateKey, useWorldState, type WorldState } from '../../live/world-state.ts';
import { announce } from '../../shell/announcer.tsx';

const problem = signal<string | undefined>(undefined);

/** Makes a change at once, as a switch does, and says if the mock refused it. */
async function apply(path: string, patch: object, reload: () => void): Promise<void> {
  try {
    await callControl('PATCH', path, patch);
    problem.value = undefined;
    announce('Changed.');
  } catch (error) {
    problem.value = messageOf(error);
  }
  reload();
}

export function KeysPanel() {
  const world = useWorldState(['record', 'sandbox']);
  return (
    <Panel
      title="Keys and organization"
      about="Switches for what a client cannot change. They are effective with the next request."
    >
      {problem.value !== undefined && (
        <p class="notice notice-bad" role="alert">
          {problem.value}
        </p>
      )}
      <LargeStateNotice />
      <Load from={world}>
        {(state) => (
          <>
            <OrganizationCard state={state} reload={world.reload} />
            <div class="cards">
              {allKeys(state).map(({ key, organization }) => (
                <KeyCard key={key.key} entry={key} organization={organization} reload={world.reload} />
              ))}
            </div>
          </>
        )}
      </Load>
    </Panel>
  );
}

const allKeys = ({ organizations }: WorldState) =>
  organizations.flatMap(({ keys, name }, index) =>
    keys.map((key) => ({ key, organization: index === 0 ? undefined : name })),
  );

interface CardProps {
  readonly reload: () => void;
}

function OrganizationCard({ state, reload }: CardProps & { readonly state: WorldState }) {
  const [{ id, name, plan, runtime, studio, deleted }] = state.organizations;
  const patch = (changes: OrganizationPatch): void => void apply('organization', changes, reload);
  return (
    <Card title={name}>
      <p class="quiet">{id}</p>
      <div class="fields">
        <SelectField
          label="Plan"
          value={plan}
          options={Object.keys(state.plans)}
          onInput={(value) => patch({ plan: value })}
        />
        <div>
          <CheckField
            label="Chat runtime is up"
            checked={runtime === 'up'}
            onInput={(isUp) => patch({ runtime: isUp ? 'up' : 'down' })}
          />
          <CheckField label="Has Studio" checked={studio} onInput={(value) => patch({ studio: value })} />
          <CheckField
            label="Organization is deleted"
            checked={deleted}
            onInput={(value) => patch({ deleted: value })}
          />
        </div>
      </div>
    </Card>
  );
}

function KeyCard({
  entry,
  organization,
  reload,
}: CardProps & { readonly entry: StateKey; readonly organization: string | undefined }) {
  const { key, name, scope, revoked, suspended, editor, accountIds } = entry;
  const patch = (changes: KeyPatch): void => void apply(`keys/${encodeURIComponent(key)}`, changes, reload);
  const isUsable = !revoked && !suspended;
  return (
    <Card title={name}>
      <div class="badges">
        <Badge tone={isUsable ? 'good' : 'bad'}>{isUsable ? scope : revoked ? 'revoked' : 'suspended'}</Badge>
        {organization !== undefined && <Badge tone="plain">{organization}</Badge>}
      </div>
      <div class="key-text">
        <code>{key}</code>
        <CopyButton text={key} label="Copy" />
      </div>
      <CheckField
        label="May write"
        checked={scope === 'write'}
        onInput={(mayWrite) => patch({ scope: mayWrite ? 'write' : 'read' })}
      />
      <CheckField
        label="Its creator is an editor"
        checked={editor}
        onInput={(value) => patch({ editor: value })}
      />
      <CheckField label="Revoked" checked={revoked} onInput={(value) => patch({ revoked: value })} />
      <CheckField
        label="Its creator is suspended"
        checked={suspended}
        onInput={(value) => patch({ suspended: value })}
      />
      {accountIds !== null && (
        <div class="field">
          <p class="field-hint">Only these accounts: {accountIds.join(', ') || 'none'}</p>
          <ActionButton
            kind="quiet"
            action={() => apply(`keys/${encodeURIComponent(key)}`, { accountIds: null }, reload)}
          >
            Allow all accounts
          </ActionButton>
        </div>
      )}
    </Card>
  );
}
