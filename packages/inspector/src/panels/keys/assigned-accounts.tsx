import { useEffect, useMemo, useRef } from 'preact/hooks';
import { CheckField } from '../../components/controls.tsx';
import { createChoice } from '../../live/choice.ts';

export interface Account {
  readonly id: string;
  readonly name: string;
}

/** The accounts of a creator; null for all, also for those that are added later. */
export type AccountIds = readonly string[] | null;

/** The switches for the accounts that the creator of a key can access: all of them, or those that are chosen. */
export function AssignedAccounts({
  accounts,
  stored,
  assign,
}: {
  /** Undefined until they are known. */
  readonly accounts: readonly Account[] | undefined;
  /** What the mock has; another object after each read. */
  readonly stored: { readonly accountIds: AccountIds };
  /** Returns whether the mock accepted it. */
  readonly assign: (accountIds: AccountIds) => Promise<boolean>;
}) {
  const latest = useRef(assign);
  latest.current = assign;
  const choice = useMemo(() => createChoice<AccountIds>((ids) => latest.current(ids)), []);
  useEffect(() => choice.confirm(stored.accountIds), [stored]);
  const accountIds = choice.show(stored.accountIds);
  const toggle = (id: string, isAssigned: boolean): void => {
    // Not what was rendered: another choice may have been made since.
    const others = (choice.show(stored.accountIds) ?? []).filter((one) => one !== id);
    choice.choose(isAssigned ? [...others, id] : others);
  };
  return (
    <fieldset class="group">
      <legend>Accounts of the creator</legend>
      <CheckField
        label="All accounts"
        checked={accountIds === null}
        disabled={accounts === undefined}
        onInput={(isAll) => choice.choose(isAll ? null : (accounts ?? []).map(({ id }) => id))}
      />
      {accountIds !== null && (
        <div class="checks">
          {accounts?.map(({ id, name }) => (
            <CheckField
              key={id}
              label={name}
              checked={accountIds.includes(id)}
              onInput={(isAssigned) => toggle(id, isAssigned)}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}
