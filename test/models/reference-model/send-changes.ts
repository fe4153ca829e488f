import { deepStrictEqual, ok } from 'node:assert/strict';
import { answer, type ModelRequest } from './model-answer.ts';
import { ModelWorld } from './model-world.ts';
import { createChange, respelled } from './random-changes.ts';
import type { Json } from './resources.ts';
import type { ServerValues } from './server-values.ts';
import { exchange, getServerValues, hold, type Pair, type Session, send } from './session.ts';
import type { Fault, Intent } from './steps.ts';

/** Sends a change under a new operationId and remembers it, so that it can be sent again. */
export function intended(session: Session, pair: Pair, key: string, intent: Intent): ModelRequest {
  const change = createChange(session, pair.model, intent);
  const operationId = session.nextOperationId();
  session.sent.push({ operationId, change });
  return { operation: 'change', key, body: { operationId, change }, valid: true };
}

export async function apply(session: Session, pair: Pair, asked: ModelRequest): Promise<void> {
  const { status, body } = await exchange(pair, asked);
  if (status === 200) remember(session, asked, body?.result as ServerValues | undefined);
}

/** Remembers the earlier revision of a record, for a later stale change. */
function remember(session: Session, { body }: ModelRequest, result: ServerValues | undefined): void {
  const { expectedRevision, accountId, userId, id } = body.change as Json;
  const name = id ?? `${String(accountId)}/${String(userId)}`;
  if (typeof expectedRevision === 'string' && result?.revision !== expectedRevision) {
    session.past.set(String(name).toLowerCase(), expectedRevision);
  }
}

/** Makes one mistake in a valid body. */
export function broken({ body, ...asked }: ModelRequest): ModelRequest {
  const change = { ...(body.change as Json), unknown: null };
  return { ...asked, body: { ...body, change }, valid: false };
}

/** Reads from the audit what the server chose for a change whose answer was lost. */
function observedLate({ mock, model }: Pair): ServerValues | undefined {
  const audit = mock.audit();
  const last = audit.at(-1);
  if (last === undefined || audit.length === model.database.audit.count()) return undefined;
  return { id: last.recordId, revision: last.revisionAfter };
}

export async function faulted(
  session: Session,
  pair: Pair,
  asked: ModelRequest,
  fault: Fault,
): Promise<void> {
  const { mock, model } = pair;
  mock.faults.arm({ operation: 'changeChat', ...fault });
  const response = await send(pair, asked).catch(() => undefined);
  const text = await response
    ?.clone()
    .text()
    .catch(() => undefined);
  mock.faults.disarm();
  // The request is dropped on arrival, as if it had never been sent.
  if (fault.effect === 'drop-request') return deepStrictEqual(response, undefined);
  if (fault.effect === 'respond') return deepStrictEqual(response?.status, fault.status);
  const uncertain = fault.effect === 'uncertain' ? fault : undefined;
  const expected = answer(model, asked, observedLate(pair), uncertain);
  const lost = uncertain === undefined ? expected.status === 200 : expected.body?.lost === true;
  if (!lost) {
    ok(response !== undefined, 'the answer of a change that no fault hit');
    await hold(pair, asked, response, expected);
  } else if (uncertain?.answer !== undefined) deepStrictEqual(response?.status, uncertain.answer);
  else deepStrictEqual(text, undefined, 'an answer that was to be lost');
  if (expected.status === 200 && !expected.body?.lost)
    remember(session, asked, expected.body?.result as ServerValues);
}

/** The answer that a change would get, computed in a copy of the world. */
export function foreseen({ model }: Pair, asked: ModelRequest): number {
  const observed = { id: crypto.randomUUID(), revision: 'e'.repeat(64) };
  return answer(new ModelWorld(model.save(), model.limits), asked, observed).status;
}

/** An input that no change uses. */
export const otherInput = { action: 'create-tags', data: { name: 'another intention', color: 'green' } };

/** While a change is in progress, the same input is blocked and a different input conflicts (D69, D72). */
export async function meetTwins(session: Session, pair: Pair, asked: ModelRequest): Promise<void> {
  const release = session.hold();
  pair.mock.faults.arm({ operation: 'changeChat', effect: 'delay', delayMs: 1 });
  const first = send(pair, asked);
  const twin = await send(pair, { ...asked, body: respelled(asked.body) });
  const other = await send(pair, { ...asked, body: { ...asked.body, change: otherInput } });
  release();
  const response = await first;
  pair.mock.faults.disarm();
  await hold(pair, asked, twin, { status: 409, error: 'OPERATION_UNCERTAIN' });
  await hold(pair, asked, other, { status: 409, error: 'INPUT_CONFLICT' });
  const expected = answer(pair.model, asked, getServerValues((await response.clone().json()) as Json));
  await hold(pair, asked, response, expected);
  // Both requests count toward the limits.
  const { usage } = pair.model.database;
  const where = { month: { equals: pair.model.moment.slice(0, 7) } };
  usage.update({ where, data: { used: (usage.findFirst({ where })?.used ?? 0) + 2 } });
}
