import { signal } from '@preact/signals';
import { announce } from '../../components/announcer.tsx';
import { CheckField, SelectField } from '../../components/controls.tsx';
import { Card, Load, Panel } from '../../components/panel.tsx';
import { callControl, toMessage } from '../../control-api/client.ts';
import type { ListedKey, OrganizationEntry, OrganizationPatch } from '../../control-api/types.ts';
import { useControl } from '../../live/resource.ts';
import type { Account } from './assigned-accounts.tsx';
import { sortByRight } from './describe-right.ts';
import { KeyCard } from './key-card.tsx';

const problem = signal<string | undefined>(undefined);

/** Makes a change at once, as a switch does, and says if the mock refused it. Returns whether it was accepted. */
async function apply(path: string, patch: object, reload: () => void): Promise<boolean> {
  try {
    await callControl('PATCH', path, patch);
    problem.value = undefined;
    announce('Changed.');
    return true;
  } catch (error) {
    problem.value = toMessage(error);
    return false;
  } finally {
    reload();
  }
}

export function KeysPanel() {
  const list = useControl<{ readonly organizations: readonly OrganizationEntry[] }>('organizations', [
    'record',
    'sandbox',
  ]);
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
      <Load from={list}>
        {({ organizations }) =>
          organizations.map((organization) => (
            <Organization key={organization.id} organization={organization} reload={list.reload} />
          ))
        }
      </Load>
    </Panel>
  );
}

/** More than an organization has, so that one call reads all. */
const mostAccounts = 10_000;

/** An organization, and its keys. */
function Organization({
  organization,
  reload,
}: {
  readonly organization: OrganizationEntry;
  readonly reload: () => void;
}) {
  const query = `organization=${encodeURIComponent(organization.id)}`;
  const list = useControl<{ readonly keys: readonly ListedKey[] }>(`keys?${query}`, [
    'request',
    'clock',
    'record',
    'sandbox',
  ]);
  const accounts = useControl<{ readonly records: readonly Account[] }>(
    `records?resource=accounts&limit=${mostAccounts}&${query}`,
    ['record', 'sandbox'],
  );
  const { id, name, plan, plans, runtime, studio, deleted } = organization;
  const patch = (changes: OrganizationPatch): void => void apply(`organization?${query}`, changes, reload);
  const usage = list.loaded.data?.keys[0]?.usage;
  return (
    <section class="stack" aria-label={name}>
      <Card title={name} aside={<code class="quiet">{id}</code>}>
        <div class="organization">
          <SelectField
            label="Plan"
            value={plan}
            options={plans}
            {...(usage !== undefined && { hint: describeMonth(usage) })}
            onInput={(value) => patch({ plan: value })}
          />
          <div class="checks-list">
            <CheckField
              label="Chat runtime is up"
              hint="off: chat reads get 404, writes 502"
              checked={runtime === 'up'}
              onInput={(isUp) => patch({ runtime: isUp ? 'up' : 'down' })}
            />
            <CheckField
              label="Has Studio"
              hint="off: Studio reads get 404"
              checked={studio}
              onInput={(value) => patch({ studio: value })}
            />
            <CheckField
              label="Organization is deleted"
              hint="on: all requests get 401"
              checked={deleted}
              onInput={(value) => patch({ deleted: value })}
            />
          </div>
        </div>
      </Card>
      <Load from={list}>
        {({ keys }) => (
          <div class="cards">
            {sortByRight(keys).map((key) => (
              <KeyCard
                key={key.key}
                entry={key}
                accounts={accounts.loaded.data?.records}
                patch={(changes) => apply(`keys/${encodeURIComponent(key.key)}`, changes, list.reload)}
              />
            ))}
          </div>
        )}
      </Load>
    </section>
  );
}

function describeMonth({ month, thisMonth, monthlyLimit }: ListedKey['usage']): string {
  const limit = monthlyLimit === null ? 'no limit' : `of ${monthlyLimit.toLocaleString('en-US')}`;
  return `${thisMonth.toLocaleString('en-US')} ${limit} requests in ${month}.`;
}
