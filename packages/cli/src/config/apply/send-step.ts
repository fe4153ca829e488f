import {
  type ChangeOf,
  type ChangeOutcome,
  type ChatAction,
  type CreateOnceInput,
  createOnce,
  NotFoundError,
  type OrgChatClient,
  StaleRevisionError,
  type WriteOptions,
} from '@orgchat/sdk';
import { exitCodes } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import type { Data } from '../../resources/collect-data.ts';
import { mapReferences } from '../file/references.ts';
import { toHeld } from '../organization.ts';
import { compare } from '../plan/compare.ts';
import type { Step } from '../plan/document.ts';
import { pendingKey } from '../plan/pending.ts';

/** The result of a step: what later steps refer to, and what is reported. */
export interface Made {
  readonly id: string;
  readonly revision: string;
  readonly operationId: string;
  /** Applied before: by an earlier run, by another process, or by an attempt whose answer was lost. */
  readonly replayed: boolean;
  /** As it was sent; undefined for a deletion. */
  readonly data: Data | undefined;
}

/** How the steps of a plan are sent. */
export interface Sending {
  readonly organizationId: string;
  /**
   * What to do with a step whose result is already there, or was there and is gone. `repeat`: the goal is that the
   * organization is as the file says, so a record that is gone is created again, and a change that somebody else made
   * in the same way is done. `exact`: only what the plan says, once.
   */
  readonly policy: 'repeat' | 'exact';
  /** Whether a record was there when the plan was made. */
  readonly isKnown: (id: string) => boolean;
  /** Whether an operation of an earlier apply was given up. */
  readonly isGivenUp: (operationId: string) => boolean;
  /** Whether a record with the label of the step was read since. */
  readonly wasSeen: (step: Step, id: string) => boolean;
}

/** Another process may be creating the same record at this moment. */
const waitsMs = [200, 400, 900];

/** Sends steps, each with the ids of what the steps before it made. */
export class StepSender {
  constructor(
    private readonly client: OrgChatClient,
    private readonly sending: Sending,
    private readonly call: WriteOptions,
  ) {}

  async send(step: Step, made: ReadonlyMap<string, Made>): Promise<Made> {
    const get = (value: string, what: 'id' | 'revision'): string => {
      const key = pendingKey(value);
      return key === undefined ? value : (made.get(key)?.[what] ?? value);
    };
    const { action, resource, expectedLabel } = step;
    const data = mapReferences(resource, step.data ?? {}, (_target, value) => get(value, 'id'));
    if (action === 'create') return this.create(step, data);
    const guard = {
      id: get(step.id ?? '', 'id'),
      expectedRevision: get(step.expectedRevision ?? '', 'revision'),
      expectedLabel,
    };
    return action === 'delete' ? this.delete(step, guard) : this.update(step, { ...guard, data });
  }

  private async create(step: Step, data: Data): Promise<Made> {
    const { resource, label } = step;
    const { organizationId, policy, isKnown, isGivenUp, wasSeen } = this.sending;
    const input = { organizationId, resource, label, data } as unknown as CreateOnceInput;
    const result = await createOnce(this.client, input, {
      ...this.call,
      ...(policy === 'exact' && { maxCounters: 1 }),
      isKnown,
      isGivenUp,
      wasSeen: (id) => wasSeen(step, id),
      waitsMs,
    });
    const { status, operationId, change, record } = result;
    if (status === 'taken') throw labelTaken(step, String(record?.id), operationId);
    if (status === 'spent') throw spent(step, operationId);
    const created = toMade(change, data);
    // What refers to it needs its id; a later step completes it as it was created.
    return record !== undefined && record.id !== created.id
      ? { ...created, id: record.id, revision: record.revision }
      : created;
  }

  private async update(step: Step, guarded: { readonly id: string; readonly data: Data }): Promise<Made> {
    const { resource, operationId } = step;
    const { id, data } = guarded;
    const change = { action: `update-${resource}`, ...guarded } as unknown as ChangeOf<ChatAction>;
    try {
      return toMade(await this.client.changeChat(change, { ...this.call, operationId }), data);
    } catch (error) {
      if (!(error instanceof StaleRevisionError) || this.sending.policy === 'exact') throw error;
      const { record } = await this.client.readChat({ resource, id }, this.call);
      const current = toHeld(resource, { ...record });
      if (compare(current.data, data, undefined).length > 0) throw error;
      return { id, revision: current.revision, operationId: operationId ?? '', replayed: true, data };
    }
  }

  private async delete(step: Step, guard: { readonly id: string }): Promise<Made> {
    const { resource, operationId } = step;
    const change = { action: 'delete-configuration', resource, ...guard } as unknown as ChangeOf<ChatAction>;
    try {
      return toMade(await this.client.changeChat(change, { ...this.call, operationId }), undefined);
    } catch (error) {
      if (!(error instanceof NotFoundError) || this.sending.policy === 'exact') throw error;
      if (!(await this.isGone(step, guard.id))) throw error;
      return { id: guard.id, revision: '', operationId: operationId ?? '', replayed: true, data: undefined };
    }
  }

  private async isGone({ resource }: Step, id: string): Promise<boolean> {
    try {
      await this.client.readChat({ resource, id }, this.call);
      return false;
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      // A 404 may also mean that nothing can be read at the moment; then this rejects, too.
      await this.client.readChat({ resource, limit: 1 }, this.call);
      return true;
    }
  }
}

function toMade({ result, replayed, operationId }: ChangeOutcome, data: Data | undefined): Made {
  const { id, revision } = (result ?? {}) as { id?: unknown; revision?: unknown };
  return { id: String(id ?? ''), revision: String(revision ?? ''), operationId, replayed, data };
}

function labelTaken({ resource, label }: Step, id: string, operationId: string): Failure {
  return new Failure(
    `${resource} "${label}": somebody else created a record with this label in the meantime (${id}). No second one was created.`,
    {
      code: 'LABEL_TAKEN',
      exit: exitCodes.conflict,
      hint: 'Plan again; the record is then found by its label.',
      operationId,
    },
  );
}

function spent({ resource, label }: Step, operationId: string): Failure {
  return new Failure(
    `${resource} "${label}": the same record was created before, and was deleted or renamed since. It was not created again.`,
    {
      code: 'CREATED_BEFORE',
      exit: exitCodes.conflict,
      hint: 'To create it again, apply the file itself: orgchat config apply FILE',
      operationId,
    },
  );
}
