import { CheckField } from '../../components/controls.tsx';

export interface Account {
  readonly id: string;
  readonly name: string;
}

/** The switches for the accounts that the creator of a key can access: all of them, or those that are chosen. */
export function AssignedAccounts({
  accounts,
  accountIds,
  assign,
}: {
  readonly accounts: readonly Account[];
  /** Null for all, also for those that are added later. */
  readonly accountIds: readonly string[] | null;
  readonly assign: (accountIds: readonly string[] | null) => void;
}) {
  const toggle = (id: string, isAssigned: boolean): void => {
    const others = (accountIds ?? []).filter((one) => one !== id);
    assign(isAssigned ? [...others, id] : others);
  };
  return (
    <fieldset class="group">
      <legend>Accounts of the creator</legend>
      <CheckField
        label="All accounts"
        checked={accountIds === null}
        onInput={(isAll) => assign(isAll ? null : accounts.map(({ id }) => id))}
      />
      {accountIds !== null && (
        <div class="checks">
          {accounts.map(({ id, name }) => (
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
