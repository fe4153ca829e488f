import type { ComponentChildren } from 'preact';
import { CheckField, CopyButton } from '../../components/controls.tsx';
import { Badge, Card } from '../../components/panel.tsx';
import type { KeyPatch, ListedKey } from '../../control-api/types.ts';
import { type Account, AssignedAccounts } from './assigned-accounts.tsx';
import { describeRight } from './describe-right.ts';

/** A key: its text, how much it is used, and the switches of its rights. */
export function KeyCard({
  entry,
  accounts,
  patch,
}: {
  readonly entry: ListedKey;
  /** Those of its organization. */
  readonly accounts: readonly Account[] | undefined;
  readonly patch: (changes: KeyPatch) => Promise<boolean>;
}) {
  const { key, name, scope, revoked, suspended, editor, usage } = entry;
  const right = describeRight(entry);
  /** Only the switch that causes a refusal has the color of it. */
  const mark = (cause: typeof right.cause, hint: string): ComponentChildren =>
    right.cause === cause ? <Badge tone={right.tone}>{hint}</Badge> : hint;
  return (
    <Card title={name}>
      <Badge tone={right.tone}>{right.word}</Badge>
      <div class="key-text">
        <code>{key}</code>
        <CopyButton text={key} label="Copy" />
      </div>
      {usage.lastMinute > 0 && <p class="quiet small">Requests in the last minute: {usage.lastMinute}</p>}
      <div class="checks-list">
        <CheckField
          label="May write"
          hint={mark('scope', 'off: writes get 403')}
          checked={scope === 'write'}
          onInput={(mayWrite) => void patch({ scope: mayWrite ? 'write' : 'read' })}
        />
        <CheckField
          label="Revoked"
          hint={mark('revoked', 'on: all get 401')}
          checked={revoked}
          onInput={(value) => void patch({ revoked: value })}
        />
        <CheckField
          label="Creator is an editor"
          hint={mark('editor', 'off: writes get 403')}
          checked={editor}
          onInput={(value) => void patch({ editor: value })}
        />
        <CheckField
          label="Creator is suspended"
          hint={mark('suspended', 'on: all get 403')}
          checked={suspended}
          onInput={(value) => void patch({ suspended: value })}
        />
      </div>
      <AssignedAccounts
        accounts={accounts}
        stored={entry}
        assign={(ids) => patch({ accountIds: ids === null ? null : [...ids] })}
      />
    </Card>
  );
}
