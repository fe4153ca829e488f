import { deepStrictEqual } from 'node:assert/strict';
import { ModelWorld } from './model-world.ts';
import { pickExisting, picking, respelled, target } from './random-changes.ts';
import { withReferences } from './random-data.ts';
import { createQuery } from './random-queries.ts';
import { getLabel, type Json, understood } from './resources.ts';
import { apply, broken, faulted, foreseen, intended, meetTwins, otherInput } from './send-changes.ts';
import { fresh } from './server-values.ts';
import { exchange, hold, type Pair, reading, type Session, send } from './session.ts';
import type { Steps } from './steps.ts';

type Perform = { readonly [K in keyof Steps]: (session: Session, step: Steps[K]) => Promise<void> };

const getPair = (session: Session, world: number): Pair =>
  session.pairs[world % session.pairs.length] as Pair;

export const perform: Perform = {
  async change(session, { world, key, intent, broken: isBroken }) {
    const pair = getPair(session, world);
    const asked = intended(session, pair, key, intent);
    await apply(session, pair, isBroken ? broken(asked) : asked);
  },

  async faulted(session, { world, key, intent, fault }) {
    const pair = getPair(session, world);
    await faulted(session, pair, intended(session, pair, key, intent), fault);
  },

  async twin(session, { world, key, intent }) {
    const pair = getPair(session, world);
    const asked = intended(session, pair, key, intent);
    // The server counts a request when it arrives; the model would count this one when it ends.
    const unlimited = session.limits.perMinute === undefined && session.limits.monthly === undefined;
    if (unlimited && [200, 404, 409].includes(foreseen(pair, asked))) await meetTwins(session, pair, asked);
  },

  async again(session, { world, key, pick, how }) {
    const sent = pickExisting(session.sent, pick);
    if (sent === undefined) return;
    const { operationId, change } = sent;
    const body = { operationId, change: how === 'other' ? otherInput : change };
    const said = how === 'respelled' ? respelled(body) : body;
    const pair = getPair(session, world);
    await apply(session, pair, { operation: 'change', key, body: said, valid: true });
  },

  async keywords(session, { world, key, site, keywords, group }) {
    const valid = (group ?? '').length <= 30;
    // Unknown fields are ignored only here (D11).
    const body = { keywords, unknown: 1, ...(group !== undefined && { group }) };
    await exchange(getPair(session, world), { operation: 'keywords', key, site, body, valid });
  },

  async read(session, { world, key, what, resource, pick, page, search }) {
    const pair = getPair(session, world);
    const { body, valid } = createQuery(pair, what, resource, pick, page, search);
    await exchange(pair, { ...reading(body, key), valid });
  },

  async account(session, { world, key }) {
    await exchange(getPair(session, world), { operation: 'me', key, body: {}, valid: true });
  },

  async clock(session, { world, ms }) {
    const { mock, model } = getPair(session, world);
    mock.clock.advance(ms);
    model.now += ms;
    deepStrictEqual(mock.clock.read().now, model.now);
  },

  async organization(session, { world, plan, runtime, deleted }) {
    const { mock, model } = getPair(session, world);
    mock.patchOrganization({ plan, runtime, deleted });
    model.settings = { plan, runtime, deleted };
  },

  async key(session, { world, key, accountIds, ...patch }) {
    const { mock, model } = getPair(session, world);
    mock.patchKey(key, { ...patch, accountIds });
    const data = { ...patch, accountIds: accountIds && JSON.stringify(accountIds) };
    model.database.key.update({ where: { key: { equals: key } }, data });
  },

  async rival(session, { world, of, pick }) {
    const { resource } = of;
    const { mock, model } = getPair(session, world);
    const { id } = target(model, resource, pick);
    const row = model.database.record.findFirst({ where: { id: { equals: id } } });
    if (row?.resource !== resource) return;
    const naming = picking(model);
    // An editor sees all accounts.
    const data = withReferences(of.data, (kind, n) => naming(kind, kind === 'accounts' ? n % 2 : n));
    const edited = mock.edit({ resource, id, data }) as Json;
    session.past.set(id, row.revision);
    const next = { ...(JSON.parse(row.data) as Json), ...understood(data) };
    const changed = {
      revision: fresh(model.database, edited, 'revision'),
      data: JSON.stringify(next),
      updatedAt: model.moment,
    };
    model.database.record.update({ where: { id: { equals: id } }, data: changed });
    deepStrictEqual(edited.label, getLabel(resource, next));
  },

  async sandbox(session, { world, from }) {
    if (session.pairs.length >= 4) return;
    const { mock, model, origin, fetch } = getPair(session, world);
    const begin = from === 'origin' ? origin : model.save();
    const sandbox = mock.sandbox(from === 'origin' ? {} : { state: mock.state() });
    const of = new ModelWorld(begin, session.limits);
    session.pairs.push({
      mock: sandbox,
      fetch,
      model: of,
      origin: begin,
      isSandbox: true,
      seen: session.seen,
    });
  },

  async drop(session, { world }) {
    const pair = getPair(session, world);
    if (!pair.isSandbox) return;
    pair.mock.drop();
    session.pairs.splice(session.pairs.indexOf(pair), 1);
    const asked = reading({ resource: 'tags' });
    await hold(pair, asked, await send(pair, asked), { status: 410, error: 'SANDBOX_GONE' });
  },

  async reset(session, { world }) {
    const { mock, model, origin } = getPair(session, world);
    mock.reset();
    model.restore(origin);
  },

  /** Moves all data through a saved state, as JSON, into the same mock or a new one, or through a crash. */
  async restart(session, { world, how }) {
    const pair = getPair(session, world);
    if (session.durable && how === 'new') return crash(session);
    const state: unknown = JSON.parse(JSON.stringify(pair.mock.state()));
    if (how === 'restored' || pair.isSandbox) return pair.mock.restore(state);
    pair.mock = session.createMock({ state });
    pair.fetch = pair.mock.fetch;
    pair.origin = pair.model.save();
  },
};

/** The first mock crashes and restarts from its file. Its sandboxes are gone, and a reset returns to the seed. */
async function crash(session: Session): Promise<void> {
  session.pairs.splice(1);
  const pair = session.pairs[0] as Pair;
  pair.mock = await session.crash(pair.mock);
  pair.fetch = pair.mock.fetch;
}
