import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type CreateOnceInput,
  createOperationId,
  type OperationEntry,
  type OrgChatClient,
} from '@orgchat/sdk';
import * as z from 'zod';
import type { Context } from '../../define-command.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import type { Data } from '../../resources/field-flags.ts';
import { stateDirectory } from '../../settings/directories.ts';
import { createJson, readJson, writeJson } from '../../settings/private-files.ts';
import type { ConfigFile } from '../file/read-config.ts';
import { mapReferences } from '../file/references.ts';
import { type Plan, planSchema, type Step } from '../plan/plan-schema.ts';
import { parseStepReference } from '../plan/step-reference.ts';
import { isBaseNewer } from '../sync-base.ts';

/*
 * `apply FILE` saves its plan until it is finished. If it is killed and run again, it resumes the same plan with the
 * same operation ids, so no step is applied twice.
 */

const shape = z.object({
  format: z.literal('orgchat-apply'),
  digest: z.string(),
  prune: z.boolean(),
  /** Rejected for good: no more steps are started, and only unknown outcomes have to be settled. */
  over: z.boolean(),
  plan: planSchema,
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The plan an earlier run did not finish. */
export interface UnfinishedApply {
  readonly plan: Plan;
  readonly isResumable: boolean;
}

/** The saved state of an apply, by file, organization and server. */
export class ApplyState {
  private readonly path: string;
  private readonly digest: string;
  private readonly name: string;

  constructor(
    { name, text }: ConfigFile,
    { baseUrl, organizationId }: Pick<Plan, 'baseUrl' | 'organizationId'>,
    private readonly prune: boolean,
  ) {
    const key = sha256(JSON.stringify([resolve(name), baseUrl, organizationId])).slice(0, 32);
    this.path = join(stateDirectory(), 'applies', `${key}.json`);
    this.digest = sha256(text);
    this.name = name;
  }

  async read(): Promise<UnfinishedApply | undefined> {
    const document = await readJson(this.path);
    if (document === undefined) return undefined;
    const found = shape.safeParse(document);
    if (!found.success) throw invalidStateError(this.path);
    const { plan, digest, prune, over } = found.data;
    return { plan, isResumable: !over && digest === this.digest && prune === this.prune };
  }

  /** Saves the plan of an apply that starts. If two start at once, the second one throws. */
  async begin(plan: Plan): Promise<void> {
    if (!createJson(this.path, this.document(plan, false))) throw applyInterferedError(this.name);
    // The other apply may have started and ended since this plan was made.
    if (!(await isBaseNewer(plan))) return;
    await this.remove();
    throw applyInterferedError(this.name);
  }

  /** Saves the plan for another run; `over` if only unsettled steps are left. */
  save(plan: Plan, { over }: { over: boolean }): Promise<void> {
    return writeJson(this.path, this.document(plan, over));
  }

  remove(): Promise<void> {
    return rm(this.path, { force: true });
  }

  private document(plan: Plan, over: boolean): z.input<typeof shape> {
    const { digest, prune } = this;
    return { format: 'orgchat-apply', digest, prune, over, plan };
  }
}

function applyInterferedError(file: string): CliError {
  return new CliError(`Another apply or export of ${file} ran in the meantime. Nothing was applied.`, {
    code: 'APPLY_UNDER_WAY',
    exit: exitCodes.conflict,
    hint: 'Wait for it, then run the same command again.',
  });
}

function invalidStateError(path: string): CliError {
  return new CliError(`${path} is not the saved state of an unfinished apply.`, {
    code: 'FILE_UNREADABLE',
    exit: exitCodes.failed,
    hint: `Check orgchat ops list --unsettled, then move the file away: mv ${path} ${path}.old`,
  });
}

/** An unfinished apply, as it is printed in JSON. */
export interface UnfinishedDocument {
  readonly since: string;
  readonly steps: number;
  /** Whether the next apply continues with its plan; otherwise it settles what is open and makes a new plan. */
  readonly goesOn: boolean;
}

export const toUnfinishedDocument = ({ plan, isResumable }: UnfinishedApply): UnfinishedDocument => ({
  since: plan.createdAt,
  steps: plan.steps.length,
  goesOn: isResumable,
});

/** Reports an unfinished apply and what happens to it. */
export function reportUnfinishedApply(context: Context, earlier: UnfinishedApply): void {
  const { since, steps, goesOn } = toUnfinishedDocument(earlier);
  const next = goesOn
    ? 'Run apply to resume it, or orgchat config apply FILE --replan to discard it'
    : 'Apply first settles the steps that were sent, then makes a new plan';
  context.output.note(`An apply of this file started at ${since} did not finish (${steps} steps). ${next}.`);
}

/**
 * Finds the steps of a plan that are in the journal of this machine and were not rejected. A create is matched by its
 * data, because its operation id is only known once all its references exist. An equal record that was created by
 * other means has another operation id and does not match.
 */
export async function findSentSteps(client: OrgChatClient, { steps, organizationId }: Plan): Promise<Step[]> {
  const idOf = ({ resource, label }: Step, data: Data): Promise<string> =>
    createOperationId({ organizationId, resource, label, data } as unknown as CreateOnceInput, 0);
  // All entries are read only if the id of a step is not known: there may be very many.
  const entries = steps.some(hasOpenReference) ? (await client.operations.list()).filter(wasNotRefused) : [];
  const ids = new Set(entries.map(({ operationId }) => operationId));
  const wasSent = async (step: Step): Promise<boolean> => {
    if (!hasOpenReference(step)) {
      const id = step.action === 'create' ? await idOf(step, step.data ?? {}) : step.operationId;
      const entry = id === undefined ? undefined : await client.operations.get(id);
      return entry !== undefined && wasNotRefused(entry);
    }
    for (const data of entries.flatMap((entry) => getCreatedData(entry, step)))
      if (ids.has(await idOf(step, data))) return true;
    return false;
  };
  const sent = await Promise.all(steps.map(wasSent));
  return steps.filter((_step, index) => sent[index]);
}

const wasNotRefused = ({ state }: OperationEntry): boolean => state !== 'refused' && state !== 'abandoned';

/** Whether a create refers to a record that does not exist yet, so that its data and operation id are not known. */
function hasOpenReference({ action, resource, data = {} }: Step): boolean {
  let isOpen = false;
  mapReferences(resource, data, (_target, value) => {
    isOpen ||= parseStepReference(value) !== undefined;
    return value;
  });
  return action === 'create' && isOpen;
}

/** The data that an entry creates a record of the step from, if it does. */
function getCreatedData({ change }: OperationEntry, { resource, data = {} }: Step): Data[] {
  if (change?.action !== `create-${resource}` || !('data' in change)) return [];
  const sent = { ...change.data };
  const isEqual = isDeepStrictEqual(
    withoutOpenReferences(resource, data, data),
    withoutOpenReferences(resource, sent, data),
  );
  return isEqual ? [sent] : [];
}

/** Data in which every reference that `planned` still has open is replaced by the same mark. */
function withoutOpenReferences(resource: Step['resource'], data: Data, planned: Data): unknown {
  const open = new Set<string>();
  mapReferences(resource, planned, (_target, value, path) => {
    if (parseStepReference(value) !== undefined) open.add(path.join('.'));
    return value;
  });
  const marked = mapReferences(resource, data, (_target, value, path) =>
    open.has(path.join('.')) ? '' : value,
  );
  return JSON.parse(JSON.stringify(marked));
}
