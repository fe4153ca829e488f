import { createClient, type Journal, memoryJournal } from '@orgchat/sdk';
import { describe, expect, test, vi } from 'vitest';
import type { JournalSetting } from '../../settings/journal-setting.ts';
import { SharedJournal } from '../../shared-journal/shared-journal.ts';
import { findReadableEntry } from './forget.ts';

const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const setting: JournalSetting = {
  engine: 'postgres',
  url: 'postgres://ci@db/orgchat',
  name: 'postgres://ci@db/orgchat',
  source: { kind: 'variable', name: 'ORGCHAT_JOURNAL' },
  namespace: undefined,
};

/** A client with a shared journal that fails to read with this error. */
function createClientWith(error: object) {
  const remove = vi.fn(() => true);
  const get = () => Promise.reject(Object.assign(new Error('no'), error));
  const journal: Journal = { ...memoryJournal(), get, remove };
  const store = {
    journal,
    migrate: async () => undefined,
    internals: Object.create(null),
    close: async () => undefined,
  };
  const shared = new SharedJournal(
    setting,
    () => undefined,
    async () => store,
  );
  const client = createClient({
    ...{ apiKey: 'demo-write-key', baseUrl: 'https://api.example.com/api/v1', journal: shared.journal },
    fetch: () => Promise.reject(new Error('nothing may be sent')),
  });
  return { client, remove };
}

describe('an entry of a shared journal', () => {
  test('that cannot be read is not an error, and can be removed', async () => {
    const { client, remove } = createClientWith({ reason: 'journal-entry-unusable', problem: 'truncated' });
    expect(await findReadableEntry(client, id.toUpperCase())).toBeUndefined();
    expect(await client.operations.forget(id)).toBe(true);
    expect(remove).toHaveBeenCalledWith(expect.objectContaining({ operationId: id }), undefined);
  });

  test('of a journal that cannot be reached is an error', async () => {
    const { client, remove } = createClientWith({ name: 'FleetError', code: 'STORE_UNAVAILABLE' });
    await expect(findReadableEntry(client, id)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(remove).not.toHaveBeenCalled();
  });

  test('has a UUID', async () => {
    const { client } = createClientWith({ reason: 'journal-entry-unusable' });
    await expect(findReadableEntry(client, 'x')).rejects.toMatchObject({ code: 'USAGE' });
  });
});
