import { CheckField, CopyButton } from '../../components/controls.tsx';
import { Badge, Card } from '../../components/panel.tsx';
import type { KeyPatch, ListedKey } from '../../control-api/types.ts';
import { type Account, AssignedAccounts } from './assigned-accounts.tsx';

/** A key: its text, how much it is used, and the switches of its rights. */
export function KeyCard({
  entry,
  accounts,
  patch,
}: {
  readonly entry: ListedKey;
  /** Those of its organization. */
  readonly accounts: readonly Account[];
  readonly patch: (changes: KeyPatch) => Promise<void>;
}) {
  const { key, name, scope, revoked, suspended, editor, accountIds, usage } = entry;
  const isUsable = !revoked && !suspended;
  return (
    <Card
      title={name}
      aside={
        <Badge tone={isUsable ? 'good' : 'bad'}>{isUsable ? scope : revoked ? 'revoked' : 'suspended'}</Badge>
      }
    >
      <div class="key-text">
        <code>{key}</code>
        <CopyButton text={key} label="Copy" />
      </div>
      {usage.lastMinute > 0 && <p class="quiet small">Requests in the last minute: {usage.lastMinute}</p>}
      <div class="checks">
        <CheckField
          label="May write"
          checked={scope === 'write'}
          onInput={(mayWrite) => void patch({ scope: mayWrite ? 'write' : 'read' })}
        />
        <CheckField label="Revoked" checked={revoked} onInput={(value) => void patch({ revoked: value })} />
        <CheckField
          label="Creator is an editor"
          checked={editor}
          onInput={(value) => void patch({ editor: value })}
        />
        <CheckField
          label="Creator is suspended"
          checked={suspended}
          onInput={(value) => void patch({ suspended: value })}
        />
      </div>
      <AssignedAccounts
        accounts={accounts}
        accountIds={accountIds}
        assign={(ids) => void patch({ accountIds: ids === null ? null : [...ids] })}
      />
    </Card>
  );
}
