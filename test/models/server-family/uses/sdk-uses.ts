import { NotFoundError, OrgChatError, RateLimitError, StaleRevisionError } from '@orgchat/sdk';
import { idOf, knownData } from '../create-organization.ts';
import { differsOnlyIn } from '../members/axes.ts';
import { retryAfterSeconds } from '../members/present-errors.ts';
import { type Resource, resources } from '../server/inputs.ts';
import { type Data, labelField } from '../server/organization.ts';
import { promisedFields, requireIdentity, requireRecord, requireStored } from './check-records.ts';
import type { Use } from './judge.ts';
import type { Row, Stage } from './stage.ts';
import { Refused, require } from './verdict-errors.ts';

/* What programs do with the configuration resources. */

/** A field of the first record of each resource, and another value. */
const edits: Readonly<Record<Resource, Data>> = {
  tags: { color: 'pink' },
  templates: { text: 'Changed' },
  'auto-replies': { responseText: 'Changed' },
  scenarios: { active: false },
  forms: { thanksText: 'Changed' },
  'rich-menus': { chatBarText: 'Changed' },
  links: { url: 'https://example.com/changed' },
  routes: { tagId: null },
  broadcasts: { target: 'all' },
};

/** Data of a record that does not exist yet. */
const newData = (stage: Stage, resource: Resource): Data => ({
  ...stage.record(resource, 1).data,
  [labelField(resource)]: 'New one',
});
const idAt = (stage: Stage, resource: Resource): string => String(stage.record(resource).identity.id);

/** Requires that all records but the first are as they were, and that there are no more and no fewer. */
function requireOthersUnchanged(stage: Stage, resource: Resource, before: readonly unknown[]): void {
  const now = stage.records(resource);
  require(now.length === before.length, `${now.length} ${resource} instead of ${before.length}`);
  require(before
    .slice(1)
    .every((one, index) => one === now[index + 1]), `another record of ${resource} was changed`);
}

async function findRow(stage: Stage, resource: Resource): Promise<Row> {
  const rows = await stage.methods(resource).list().toArray();
  const row = rows.find(({ id }) => String(id).toLowerCase() === idAt(stage, resource));
  require(row !== undefined, `the list has no ${resource} "${stage.record(resource).label}"`);
  return row;
}

/** The error of a call, unless it says that the server is of an unknown shape. */
async function rejectionOf(call: Promise<unknown>): Promise<unknown> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof OrgChatError && error.code === 'UNEXPECTED_SHAPE') throw error;
  return error;
}
const isUnreadable = (error: unknown): boolean =>
  error instanceof OrgChatError && error.code === 'INVALID_RESPONSE';

const use = (
  name: string,
  run: (stage: Stage, resource: Resource) => Promise<void>,
  among: readonly Resource[] = resources,
): Use => ({ name, resources: among, run: (stage, resource) => run(stage, resource as Resource) });

export const configurationUses: readonly Use[] = [
  use('list', async (stage, resource) => {
    const rows = await stage.methods(resource).list().toArray();
    const stored = stage.records(resource);
    require(rows.length === stored.length, `${rows.length} of ${stored.length} ${resource} were listed`);
    const isSummary = stage.member.choices.rows === 'summary';
    for (const record of stored) {
      const row = rows.find(({ id }) => String(id).toLowerCase() === record.identity.id);
      if (isSummary) requireIdentity(row, record);
      else requireRecord(resource, row, record);
    }
  }),
  use('get', async (stage, resource) => {
    const record = await stage.methods(resource).get(idAt(stage, resource));
    requireRecord(resource, record, stage.record(resource));
  }),
  use('find', async (stage, resource) => {
    const stored = stage.record(resource);
    const found = await stage.methods(resource).find({ [labelField(resource)]: stored.label });
    require(found !== undefined, `find() denies ${resource} "${stored.label}"`);
    requireRecord(resource, found, stored);
  }),
  use('find nothing', async (stage, resource) => {
    const found = await stage.methods(resource).find({ [labelField(resource)]: 'Nobody' });
    require(found === undefined, `find() found ${JSON.stringify(found)}`);
  }),
  use('edit', async (stage, resource) => {
    const before = [...stage.records(resource)];
    const { data } = stage.record(resource);
    await stage.methods(resource).edit(idAt(stage, resource), (given) => ({ ...given, ...edits[resource] }));
    requireStored(stage.record(resource), { ...data, ...edits[resource] });
    requireOthersUnchanged(stage, resource, before);
  }),
  use('upsert twice', async (stage, resource) => {
    const data = newData(stage, resource);
    const count = stage.records(resource).length;
    const methods = stage.methods(resource);
    for (const expected of ['created', 'unchanged']) {
      const { outcome, record } = await methods.upsert(data, { by: labelField(resource) });
      const created = stage.records(resource).length - count;
      require(created === 1, `upsert() made ${created} records instead of 1`);
      require(outcome === expected, `upsert() says ${outcome} instead of ${expected}`);
      requireStored(stage.record(resource, count), data);
      requireRecord(resource, record, stage.record(resource, count));
      stage.markChecked();
    }
  }),
  use('upsert of a record', async (stage, resource) => {
    const before = [...stage.records(resource)];
    const { data } = stage.record(resource);
    // Optional fields are not given, and stay.
    const given = Object.entries({ ...knownData(resource), ...edits[resource] }).filter(([name]) =>
      promisedFields(resource).includes(name),
    );
    const options = { by: labelField(resource) };
    const { outcome, record } = await stage.methods(resource).upsert(Object.fromEntries(given), options);
    requireOthersUnchanged(stage, resource, before);
    require(outcome === 'updated', `upsert() says ${outcome} instead of updated`);
    requireStored(stage.record(resource), { ...data, ...Object.fromEntries(given) });
    requireRecord(resource, record, stage.record(resource));
  }),
  use('create, then update the result', async (stage, resource) => {
    const data = newData(stage, resource);
    const count = stage.records(resource).length;
    const methods = stage.methods(resource);
    const { applied, result } = await methods.create(data);
    require(applied && stage.records(resource).length === count + 1, 'create() made no record');
    stage.markChecked();
    const { member, options } = stage;
    const hasId = !['null', 'absent'].includes(member.choices.result);
    // With an id, the client can read the record. Without a description, it may not know how.
    const isReadable = hasId && (options.isDescribed || differsOnlyIn(member.choices, 'result'));
    require(!isReadable || (result !== undefined && result !== null), 'create() has no result');
    if (result) requireRecord(resource, result, stage.record(resource, count));
    // Without a result, a program looks for what it created.
    const record = result ?? (await methods.find({ [labelField(resource)]: 'New one' }));
    require(record !== undefined, 'find() denies what was created');
    await methods.update(record, { ...data, ...edits[resource] });
    requireStored(stage.record(resource, count), { ...data, ...edits[resource] });
  }),
  use('update of a row', async (stage, resource) => {
    const before = [...stage.records(resource)];
    const data = {
      ...newData(stage, resource),
      [labelField(resource)]: stage.record(resource).label,
      ...edits[resource],
    };
    await stage.methods(resource).update(await findRow(stage, resource), data);
    requireStored(stage.record(resource), data);
    requireOthersUnchanged(stage, resource, before);
  }),
];

const deletable = resources.filter((resource) => resource !== 'rich-menus');

/** What only some of the resources have, and what is the same for all of them. */
export const otherUses: readonly Use[] = [
  use(
    'delete of a row',
    async (stage, resource) => {
      const [first, ...rest] = stage.records(resource);
      const { applied } = await stage.methods(resource).delete(await findRow(stage, resource));
      require(applied && !stage.records(resource).some((one) => one === first), 'nothing was deleted');
      require(stage.records(resource).length === rest.length, 'more than one record was deleted');
    },
    deletable,
  ),
  use(
    'get of a missing record',
    async (stage, resource) => {
      const error = await rejectionOf(stage.methods(resource).get(idOf('none')));
      // No code of the contract is in an HTML page.
      if (stage.member.choices.notFound === 'html' && isUnreadable(error)) throw new Refused(String(error));
      require(error instanceof NotFoundError, `get() of a missing record: ${String(error)}`);
    },
    ['tags'],
  ),
  use(
    'update of a stale record',
    async (stage, resource) => {
      const record = await stage.methods(resource).get(idAt(stage, resource));
      await stage.methods(resource).edit(idAt(stage, resource), (given) => ({ ...given, color: 'green' }));
      stage.markChecked();
      const before = stage.record(resource);
      const data = { ...newData(stage, resource), ...edits.tags };
      const error = await rejectionOf(stage.methods(resource).update(record, data));
      require(error instanceof StaleRevisionError, `update() of a stale record: ${String(error)}`);
      require(stage.record(resource) === before, 'a stale update was applied');
    },
    ['tags'],
  ),
  use(
    'read beyond the rate limit',
    async (stage, resource) => {
      stage.service.limited = 1;
      const from = Date.now();
      const error = await rejectionOf(stage.methods(resource).get(idAt(stage, resource), { retry: false }));
      require(error instanceof RateLimitError, `a read beyond the limit: ${String(error)}`);
      const waitMs = (error.retryAt?.getTime() ?? from) - from;
      const isShown = stage.member.choices.retryAfter !== 'absent';
      // A date has no fractions of a second. Without the header, a client may wait for a minute.
      const [least, most] = isShown ? [retryAfterSeconds - 2, retryAfterSeconds + 2] : [0, 62];
      require(waitMs >= least * 1000 && waitMs <= most * 1000, `retryAt is in ${waitMs} ms`);
    },
    ['tags'],
  ),
];
