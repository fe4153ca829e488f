import { plan, RefusalError } from './model-changes.ts';
import { read } from './model-reads.ts';
import type { KeyRow, ModelWorld } from './model-world.ts';
import { type Json, understood } from './resources.ts';
import type { ServerValues } from './server-values.ts';

/** A request for the model. `valid` says whether its body was made to match the contract. */
export interface ModelRequest {
  readonly operation: 'me' | 'keywords' | 'read' | 'change';
  readonly key: string;
  readonly site?: string;
  readonly body: Json;
  readonly valid: boolean;
}

/** The expected answer. */
export interface ExpectedAnswer {
  readonly status: number;
  readonly error?: string;
  readonly retryAfter?: string;
  readonly body?: Json;
}

/** The outcome of a change that a fault makes uncertain. */
export interface Uncertain {
  readonly applied: boolean;
  readonly resolve: 'never' | { readonly afterRequests: number } | { readonly afterMs: number };
}

const minute = 60_000;

/** Computes the expected answer and changes the world. The checks are in the order of D3. */
export function answer(
  world: ModelWorld,
  asked: ModelRequest,
  observed?: ServerValues,
  uncertain?: Uncertain,
): ExpectedAnswer {
  try {
    return succeed(world, asked, observed, uncertain);
  } catch (refused) {
    if (!(refused instanceof RefusalError)) throw refused;
    const { status, code: error } = refused;
    return {
      status,
      error,
      ...(error === 'RATE_LIMITED' && { retryAfter: getRetryAfter(world, asked.key) }),
    };
  }
}

function succeed(
  world: ModelWorld,
  asked: ModelRequest,
  observed?: ServerValues,
  uncertain?: Uncertain,
): ExpectedAnswer {
  const key = caller(world, asked.key);
  count(world, key);
  const writes = asked.operation === 'keywords' || asked.operation === 'change';
  if (writes && (key.scope !== 'write' || !key.editor)) throw new RefusalError(403, 'FORBIDDEN');
  if (!asked.valid) throw new RefusalError(400, 'INVALID_INPUT');
  const body = understood(asked.body);
  switch (asked.operation) {
    case 'me':
      return { status: 200, body: account(world, key) };
    case 'keywords':
      return { status: 201, body: keywords(world, asked.site ?? '', body) };
    case 'read':
      if (world.settings.runtime === 'down') throw new RefusalError(404, 'RUNTIME_UNAVAILABLE');
      return { status: 200, body: read(world, key, body) };
    case 'change':
      if (world.settings.runtime === 'down') throw new RefusalError(502, 'RUNTIME_UNAVAILABLE');
      return { status: 200, body: change(world, key, body, observed, uncertain) };
  }
}

function caller(world: ModelWorld, secret: string): KeyRow {
  const key = world.key(secret);
  if (key === null || key.revoked || world.settings.deleted) throw new RefusalError(401, 'UNAUTHORIZED');
  if (world.settings.plan === 'free') throw new RefusalError(403, 'PLAN_REQUIRED');
  if (key.suspended) throw new RefusalError(403, 'SUSPENDED');
  return key;
}

function recent(world: ModelWorld, key: string): number[] {
  const rows = world.database.request.findMany({ where: { key: { equals: key } } });
  return rows.map(({ at }) => at).filter((at) => at > world.now - minute);
}

function used(world: ModelWorld): number {
  const month = world.moment.slice(0, 7);
  return world.database.usage.findFirst({ where: { month: { equals: month } } })?.used ?? 0;
}

/** Checks the quota, then the minute limit. A request that passes both is counted (D34, D80, D81). */
function count(world: ModelWorld, { key }: KeyRow): void {
  const { monthly, perMinute } = world.limits;
  const { database, now } = world;
  const month = world.moment.slice(0, 7);
  const before = used(world);
  if (monthly !== undefined && before >= monthly) throw new RefusalError(429, 'QUOTA_EXCEEDED');
  if (perMinute !== undefined) {
    if (recent(world, key).length >= perMinute) throw new RefusalError(429, 'RATE_LIMITED');
    database.request.deleteMany({ where: { at: { lte: now - minute } } });
    database.request.create({ order: world.next(), key, at: now });
  }
  if (before === 0) database.usage.create({ month, used: 1 });
  else database.usage.update({ where: { month: { equals: month } }, data: { used: before + 1 } });
}

/** Whole seconds, rounded up, until enough requests have left the window for another one to pass (D79). */
function getRetryAfter(world: ModelWorld, key: string): string {
  const times = recent(world, key).sort((a, b) => b - a);
  const leaving = times[(world.limits.perMinute ?? 1) - 1] ?? world.now;
  return String(Math.max(1, Math.ceil((leaving + minute - world.now) / 1000)));
}

function account(world: ModelWorld, { name, scope }: KeyRow): Json {
  const { monthly, perMinute } = world.limits;
  return {
    organizationId: 'org_model',
    key: { name, scope },
    plan: world.settings.plan,
    credits: { allowance: 10, used: 3, remaining: 7, resetsAt: '2026-06-01T00:00:00.000Z' },
    api: {
      used: used(world),
      limit: monthly ?? { starter: 10_000, business: 100_000 }[world.settings.plan],
      perMinute: perMinute ?? 60,
    },
  };
}

function keywords(world: ModelWorld, site: string, { keywords: sent, group }: Json): Json {
  const { database } = world;
  const found = database.site.findFirst({ where: { id: { equals: site } } });
  if (found === null) throw new RefusalError(404, 'NOT_FOUND');
  const held = database.keyword.findMany({ where: { site: { equals: site } } }).map(({ keyword }) => keyword);
  const added: string[] = [];
  const skipped: string[] = [];
  for (const keyword of sent as string[]) {
    if (held.includes(keyword) || added.includes(keyword)) skipped.push(keyword);
    else added.push(keyword);
  }
  if (held.length + added.length > found.keywordLimit) throw new RefusalError(400, 'KEYWORD_LIMIT_EXCEEDED');
  for (const keyword of added) {
    const row = { id: `${site} ${keyword}`, order: world.next(), site, keyword, addedAt: world.moment };
    database.keyword.create({ ...row, group: (group as string | undefined) || null });
  }
  return { added, skipped };
}

/** Section 6: a replay, a conflict, a block, or the change itself. */
function change(
  world: ModelWorld,
  key: KeyRow,
  body: Json,
  observed?: ServerValues,
  uncertain?: Uncertain,
): Json {
  const operationId = String(body.operationId);
  const input = JSON.stringify(body.change);
  const { operation } = world.database;
  const where = { operationId: { equals: operationId } };
  const known = resolved(world, operationId);
  if (known !== null) {
    if (known.input !== input) throw new RefusalError(409, 'INPUT_CONFLICT');
    if (known.state === 'applied') return { ...JSON.parse(String(known.answer)), replayed: true };
    const resolution = JSON.parse(String(known.resolution));
    if (resolution?.afterRequests !== undefined) {
      const next = JSON.stringify({ afterRequests: resolution.afterRequests - 1 });
      operation.update({ where, data: { resolution: next } });
    }
    throw new RefusalError(409, 'OPERATION_UNCERTAIN');
  }
  const action = String((body.change as Json).action);
  const write = plan(world, key, body.change as Json, operationId);
  const row = { operationId, action, input, state: 'applied' };
  if (uncertain?.applied === false) {
    operation.create({
      ...row,
      state: 'uncertain',
      answer: null,
      resolution: formatResolution(world, uncertain),
    });
    return { lost: true };
  }
  const done = write(observed);
  const entry = { operationId, action, at: world.moment, keyName: key.name, resource: done.resource };
  const audited = {
    ...entry,
    recordId: done.recordId,
    recordName: done.name,
    revisionBefore: done.before,
    revisionAfter: done.after,
  };
  world.database.audit.create({ order: world.next(), entry: JSON.stringify(audited) });
  const given = { ok: true, applied: true, replayed: false, auditRecorded: true, result: done.result };
  const state = uncertain === undefined ? 'applied' : 'uncertain';
  const resolution = uncertain === undefined ? null : formatResolution(world, uncertain);
  operation.create({ ...row, state, answer: JSON.stringify(given), resolution });
  return uncertain === undefined ? given : { lost: true };
}

function formatResolution(world: ModelWorld, { resolve }: Uncertain): string {
  if (resolve === 'never' || 'afterRequests' in resolve)
    return JSON.stringify(resolve === 'never' ? null : resolve);
  return JSON.stringify({ at: world.now + resolve.afterMs });
}

/** An operation, after it was resolved if that was due (D72). */
function resolved(world: ModelWorld, operationId: string) {
  const { operation } = world.database;
  const where = { operationId: { equals: operationId } };
  const known = operation.findFirst({ where });
  if (known?.state !== 'uncertain') return known;
  const resolution = JSON.parse(String(known.resolution)) as { at?: number; afterRequests?: number } | null;
  const due = (resolution?.at ?? Number.POSITIVE_INFINITY) <= world.now || resolution?.afterRequests === 0;
  if (!due) return known;
  if (known.answer !== null) return operation.update({ where, data: { state: 'applied', resolution: null } });
  operation.delete({ where });
  return null;
}
