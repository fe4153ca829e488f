import { beforeEach, describe, expect, it } from 'vitest';
import { createGuard, type Item } from '../../../packages/mock-server/test-support/caller.ts';
import { data, nobody, vip, welcome } from '../../../packages/mock-server/test-support/data.ts';
import { document, validator } from '../../../spec/test-support/document.ts';
import { listVariants, serve } from './service.ts';

const { mock, caller } = serve();
beforeEach(() => mock.reset());

const change = { action: 'create-tags', data: data.tags };

async function person(): Promise<Item> {
  return caller.first('friends');
}
/** Valid examples of the three changes of a friend. */
async function friendChanges(): Promise<Record<string, object>> {
  const friend = await person();
  const who = { accountId: friend.accountId, userId: friend.userId };
  return {
    'update-friend': { ...who, ...createGuard(friend), data: {} },
    'set-friend-tags': { ...who, ...createGuard(friend), tagIds: [] },
    'enroll-scenario': { ...who, scenarioId: welcome },
  };
}

describe('section 4.4: the request', () => {
  it('[4.4.2] a change requires a write key and a creator who can edit at that time', async () => {
    const status = async (): Promise<number> => (await caller.apply(change)).status;
    expect(await status()).toBe(200);
    mock.patchKey(caller.key, { scope: 'read' });
    expect(await status()).toBe(403);
    mock.patchKey(caller.key, { scope: 'write', editor: false });
    expect(await status()).toBe(403);
    mock.patchKey(caller.key, { editor: true });
    expect(await status()).toBe(200);
  });

  it.each(['update-friend', 'set-friend-tags', 'enroll-scenario'])(
    '[4.4.20, 4.4.21] %s refers to a friend by accountId and userId',
    async (action) => {
      const good = (await friendChanges())[action];
      const hex = '0123456789abcdef';
      for (const [field, bad] of [
        ['accountId', ['', 'x', vip.slice(1), `${vip} `, null, undefined, 1]],
        [
          'userId',
          ['', 'U1', `u${hex}${hex}`, `U${hex}${hex}0`, `U${hex}${hex.toUpperCase()}`, null, undefined],
        ],
      ] as const) {
        for (const value of bad) {
          const { status } = await caller.apply({ action, ...good, [field]: value });
          expect({ field, value, status }).toEqual({ field, value, status: 400 });
        }
      }
      expect((await caller.apply({ action, ...good, accountId: nobody })).status).toBe(404);
      expect((await caller.apply({ action, ...good, userId: `U${'0'.repeat(32)}` })).status).toBe(404);
      expect((await caller.apply({ action, ...good })).status).toBe(200);
    },
  );

  /* The other fields of each variant; all are required. */
  const guard = ['expectedRevision', 'expectedLabel'];
  const variants: [string, string, string[]][] = [
    ...Object.keys(data).map((name): [string, string, string[]] => ['4.4.9', `create-${name}`, ['data']]),
    ...Object.keys(data).map((name): [string, string, string[]] => [
      '4.4.10',
      `update-${name}`,
      ['id', ...guard, 'data'],
    ]),
    ['4.4.11', 'delete-configuration', ['resource', 'id', ...guard]],
    ['4.4.12', 'update-friend', ['accountId', 'userId', ...guard, 'data']],
    ['4.4.13', 'set-friend-tags', ['accountId', 'userId', ...guard, 'tagIds']],
    ['4.4.14, 4.4.24', 'enroll-scenario', ['accountId', 'userId', 'scenarioId']],
  ];
  it.each(variants)(
    '[%s] %s has exactly the fields %j, all required, by the document',
    (_, action, fields) => {
      const name = action.replace(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase());
      const schema = document.components.schemas[name];
      expect(Object.keys(schema?.properties ?? {})).toEqual(['action', ...fields]);
      expect([...(schema?.required ?? [])].sort()).toEqual(['action', ...fields].sort());
      expect(schema).toMatchObject({ additionalProperties: false });
    },
  );

  it('[4.4.8] the document has exactly these variants', () => {
    expect(listVariants('ChatChange').sort()).toEqual(variants.map(([, action]) => action).sort());
  });

  it('[4.4.18] [4.4.19] every configuration except a rich menu can be deleted', async () => {
    for (const resource of Object.keys(data)) {
      const record = await caller.first(resource);
      const removal = { action: 'delete-configuration', resource, id: record.id, ...createGuard(record) };
      const expected = resource === 'rich-menus' ? 400 : 200;
      expect({ resource, status: (await caller.apply(removal)).status }).toEqual({
        resource,
        status: expected,
      });
    }
    const deletable = document.components.schemas.DeleteConfiguration?.properties?.resource?.enum;
    expect(deletable).toEqual(Object.keys(data).filter((resource) => resource !== 'rich-menus'));
  });

  it('[4.4.47] a label that does not match is a conflict too, by decision', async () => {
    const tag = await caller.first('tags');
    const update = { action: 'update-tags', id: tag.id, ...createGuard(tag), data: data.tags };
    const { status, body } = await caller.apply({ ...update, expectedLabel: `${tag.label}!` });
    expect([status, body.error]).toEqual([409, 'STALE_REVISION']);
    expect((await caller.apply(update)).status).toBe(200);
  });
});

describe('section 4.4: the answer', () => {
  it('[4.4.31] [4.4.32] [4.4.33] [4.4.34] [4.4.35] of each kind of change, first and replayed', async () => {
    const tag = await caller.first('tags');
    const before: Record<string, object> = {
      'create-tags': { data: data.tags },
      'delete-configuration': { resource: 'tags', id: tag.id, ...createGuard(tag) },
    };
    for (const action of [...Object.keys(before), ...Object.keys(await friendChanges())]) {
      // Read again each time: every change of a friend gives it a new revision.
      const fields = before[action] ?? (await friendChanges())[action];
      const id = crypto.randomUUID();
      const first = (await caller.change(id, { action, ...fields })).body;
      const { result } = first;
      const flags = { ok: true, applied: true, replayed: false, auditRecorded: true };
      expect(first, action).toEqual({ ...flags, result });
      expect(result, action).toBeTypeOf('object');
      const again = (await caller.change(id, { action, ...fields })).body;
      expect(again, action).toEqual({ ...flags, replayed: true, result });
    }
    mock.faults.arm({ effect: 'skip-audit' });
    expect((await caller.apply(change)).body).toMatchObject({ applied: true, auditRecorded: false });
  });

  const answer = { ok: true, applied: true, replayed: false, auditRecorded: true };
  const judge = validator('#/components/schemas/ChangeChatResult');
  it.each<[string, string, unknown[], unknown[]]>([
    ['4.4.31', 'ok', [true], [false, 'true', 1, null, undefined]],
    ['4.4.32', 'applied', [true, false], ['true', 1, null, undefined]],
    ['4.4.33', 'replayed', [true, false], ['true', 1, null, undefined]],
    ['4.4.34', 'auditRecorded', [true, false], ['true', 1, null, undefined]],
    ['4.4.35', 'result', [undefined, null, 1, 'x', [], {}, { id: 1 }], []],
  ])('[%s] the document allows the same values for %s as the clause', (_, field, good, bad) => {
    const given = (value: unknown): unknown => JSON.parse(JSON.stringify({ ...answer, [field]: value }));
    for (const value of good) expect({ value, valid: judge(given(value)) }).toEqual({ value, valid: true });
    for (const value of bad) expect({ value, valid: judge(given(value)) }).toEqual({ value, valid: false });
  });
});
