import {
  type ChangeOf,
  type ChatAction,
  type Guarded,
  NotFoundError,
  type OrgChatClient,
  StaleRevisionError,
  type WriteOptions,
} from '@orgchat/sdk';
import {
  type CreateOnceInput,
  createOnce,
  getChatApi,
  recordsSince,
  toComparableId,
} from '@orgchat/sdk/internal';
import { isObject } from '@orgchat/spec/is-object';
import { singularNames } from '@orgchat/spec/resources/names';
import { createFingerprint } from '../../changes/fingerprint.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import type { Data } from '../../resources/fields.ts';
import { mapReferences } from '../file/references.ts';
import { type RemoteRecord, toRemoteRecord } from '../organization.ts';
import { compare } from '../plan/compare-data.ts';
import { type Plan, parseStepReference, type Step } from '../plan/plan-schema.ts';

/** How the steps of a plan are sent. */
export interface SendOptions {
  readonly organizationId: string;
  /**
   * What to do if the result of a step already exists, or existed and is gone. `repeat`: the organization must match
   * the file. A missing record is created again, and an equal change by someone else counts as applied. `exact`:
   * apply only the plan, once.
   */
  readonly policy: 'repeat' | 'exact';
  /** Whether a record was there when the plan was made. */
  readonly isKnown: (id: string) => boolean;
  /** Whether an operation of an earlier apply was given up. */
  readonly isGivenUp: (operationId: string) => boolean;
  /**
   * Whether the last read of the organization, after the plan was made, found record `id` with the label of the step.
   * False if nothing was read since.
   */
  readonly hasLabelNow: (step: Step, id: string) => boolean;
}

export function createSendOptions(
  plan: Plan,
  policy: SendOptions['policy'],
  hasLabelNow: SendOptions['hasLabelNow'],
): SendOptions {
  const knownLabels = collectKnownLabels(plan);
  const givenUp = new Set(plan.givenUp);
  return {
    organizationId: plan.organizationId,
    policy,
    isKnown: (id) => knownLabels.has(toComparableId(id)),
    isGivenUp: (operationId) => givenUp.has(operationId),
    hasLabelNow,
  };
}

/** The records known to the plan by id, with their label; undefined if the plan may change it. */
export function collectKnownLabels({
  steps,
  unchanged,
  unmanaged,
  others = [],
}: Plan): ReadonlyMap<string, string | undefined> {
  return new Map([
    ...[...unchanged, ...unmanaged, ...others].map(({ id, label }) => [id, label] as const),
    ...steps.flatMap(({ id }) => (id === undefined ? [] : [[id, undefined] as const])),
  ]);
}

/** The result of a step: what later steps refer to, and what is reported. */
export interface SentStep {
  readonly id: string;
  readonly revision: string;
  /** What the server calls the label of the record now. */
  readonly expectedLabel?: string | undefined;
  readonly operationId: string;
  /** Applied before: by an earlier run, by another process, or by an attempt whose answer was lost. */
  readonly replayed: boolean;
  /** As it was sent; undefined for a deletion. */
  readonly data: Data | undefined;
}

/** Results of the steps of a plan. */
export interface StepResults {
  readonly done: readonly { readonly step: Step; readonly made: SentStep }[];
  readonly failed: readonly { readonly step: Step; readonly failure: CliError }[];
  /** Steps that were not started. */
  readonly notStarted: readonly Step[];
}

/** Another process may be creating the same record at this moment. */
const waitsMs = [200, 400, 900];

/** Sends steps, each with the ids of what the steps before it made. */
export class StepSender {
  constructor(
    private readonly client: OrgChatClient,
    private readonly sending: SendOptions,
    private readonly call: WriteOptions,
  ) {}

  async send(step: Step, made: ReadonlyMap<string, SentStep>): Promise<SentStep> {
    const get = (value: string, what: 'id' | 'revision'): string => {
      const key = parseStepReference(value);
      return key === undefined ? value : (made.get(key)?.[what] ?? value);
    };
    const { action, resource, expectedLabel } = step;
    const data = mapReferences(resource, step.data ?? {}, (_target, value) => get(value, 'id'));
    if (action === 'create') return this.create(step, data);
    const guard = {
      id: get(step.id ?? '', 'id'),
      expectedRevision: get(step.expectedRevision ?? '', 'revision'),
      expectedLabel: made.get(parseStepReference(step.id ?? '') ?? '')?.expectedLabel ?? expectedLabel,
    };
    return action === 'delete' ? this.delete(step, guard) : this.update(step, { ...guard, data });
  }

  private async create(step: Step, data: Data): Promise<SentStep> {
    const { resource, label } = step;
    const { organizationId, policy, isKnown, isGivenUp, hasLabelNow } = this.sending;
    const input = { organizationId, resource, label, data } as unknown as CreateOnceInput;
    const api = getChatApi(this.client);
    const result = await createOnce(api, input, {
      ...this.call,
      fingerprint: createStepFingerprint(organizationId, step),
      ...(policy === 'exact' && { maxCounters: 1 }),
      isKnown,
      isGivenUp,
      wasSeen: (id) => hasLabelNow(step, toComparableId(id)),
      waitsMs,
    });
    const { status, operationId, change, record } = result;
    if (status === 'taken') throw labelTakenError(step, String(record?.id), operationId);
    if (status === 'spent') throw createdBeforeError(step, operationId);
    const { operationId: _, ...call } = this.call;
    // A server may answer without the record. What refers to it needs its id.
    const [found] =
      change.result === undefined && record === undefined
        ? await recordsSince(api, resource, isKnown, call, { label })
        : [record];
    const current = found ?? change.result;
    if (!isGuarded(current)) throw createdUnseenError(step, operationId);
    const { revision, label: expectedLabel } = current;
    const id = toComparableId(current.id);
    return { id, revision, expectedLabel, operationId, replayed: change.replayed, data };
  }

  private async update(step: Step, guarded: { readonly id: string; readonly data: Data }): Promise<SentStep> {
    const { resource, operationId } = step;
    const { id, data } = guarded;
    const change = { action: `update-${resource}`, ...guarded } as unknown as ChangeOf<ChatAction>;
    try {
      const outcome = await this.client.changeChat(change, { ...this.call, operationId });
      const { result, replayed } = outcome;
      const { revision, label } = isGuarded(result) ? result : await this.readGuarded(resource, id);
      return { id, revision, expectedLabel: label, operationId: outcome.operationId, replayed, data };
    } catch (error) {
      if (!(error instanceof StaleRevisionError) || this.sending.policy === 'exact') throw error;
      const current = await this.read(resource, id);
      if (compare(step.resource, current.data, data, undefined).length > 0) throw error;
      const { revision, expectedLabel } = current;
      return { id, revision, expectedLabel, operationId: operationId ?? '', replayed: true, data };
    }
  }

  private async delete(step: Step, guard: { readonly id: string }): Promise<SentStep> {
    const { resource, operationId } = step;
    const change = { action: 'delete-configuration', resource, ...guard } as unknown as ChangeOf<ChatAction>;
    try {
      const outcome = await this.client.changeChat(change, { ...this.call, operationId });
      const { replayed } = outcome;
      return { id: guard.id, revision: '', operationId: outcome.operationId, replayed, data: undefined };
    } catch (error) {
      if (!(error instanceof NotFoundError) || this.sending.policy === 'exact') throw error;
      if (!(await this.isGone(step, guard.id))) throw error;
      return { id: guard.id, revision: '', operationId: operationId ?? '', replayed: true, data: undefined };
    }
  }

  private async read(resource: Step['resource'], id: string): Promise<RemoteRecord> {
    const { operationId: _, ...call } = this.call;
    const answer = await getChatApi(this.client).readRecord<Guarded<object>>({ resource, id }, call);
    return toRemoteRecord(resource, answer.data);
  }

  /** What the next step of a record needs of it. The change is applied, so a read that fails must not end the step. */
  private async readGuarded(
    resource: Step['resource'],
    id: string,
  ): Promise<{ revision: string; label: string | undefined }> {
    try {
      const { revision, expectedLabel } = await this.read(resource, id);
      return { revision, label: expectedLabel };
    } catch {
      return { revision: '', label: undefined };
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

/** Whether a result is a record with what the next step needs of it. */
const isGuarded = (result: unknown): result is { id: string; revision: string; label: string } =>
  isObject(result) && [result.id, result.revision, result.label].every((value) => typeof value === 'string');

function createdUnseenError({ resource, label }: Step, operationId: string): CliError {
  return new CliError(`${singularNames[resource]} "${label}" was created, and the API does not show it.`, {
    code: 'RESULT_MISSING',
    exit: exitCodes.unknown,
    hint: 'Run the same command again: it continues with the record.',
    operationId,
  });
}

function labelTakenError({ resource, label }: Step, id: string, operationId: string): CliError {
  return new CliError(
    `Someone else created ${singularNames[resource]} "${label}" in the meantime (${id}). No duplicate was created.`,
    {
      code: 'LABEL_TAKEN',
      exit: exitCodes.conflict,
      hint: 'Plan again; the record is then matched by its label.',
      operationId,
    },
  );
}

function createdBeforeError({ resource, label }: Step, operationId: string): CliError {
  return new CliError(
    `The same ${singularNames[resource]} "${label}" was created before and was deleted or renamed since. It was not created again.`,
    {
      code: 'CREATED_BEFORE',
      exit: exitCodes.conflict,
      hint: 'To create it again, apply the file itself: orgchat config apply FILE',
      operationId,
    },
  );
}

/** Whether a create refers to a record that does not exist yet, so that its data and operation id are not known. */
export function hasOpenReference({ action, resource, data = {} }: Step): boolean {
  let isOpen = false;
  mapReferences(resource, data, (_target, value) => {
    isOpen ||= parseStepReference(value) !== undefined;
    return value;
  });
  return action === 'create' && isOpen;
}

/** Returns the text by which the journal recognizes a create, whatever the ids of the new records are it refers to. */
export function createStepFingerprint(
  organizationId: string,
  { resource, label, data = {} }: Pick<Step, 'resource' | 'label' | 'data'>,
): string {
  const marked = mapReferences(resource, data, (_target, value) =>
    parseStepReference(value) === undefined ? value : 'step',
  );
  return createFingerprint(['config create', organizationId, resource, label, marked]);
}
