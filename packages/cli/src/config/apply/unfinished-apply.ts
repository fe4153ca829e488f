import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { OperationEntry, OrgChatClient } from '@orgchat/sdk';
import { type CreateOnceInput, createOperationId, maxListed } from '@orgchat/sdk/internal';
import * as z from 'zod';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { stateDirectory } from '../../settings/directories.ts';
import { createJson, moveAway, readJson, writeJson } from '../../settings/private-files.ts';
import type { ConfigFile } from '../file/read-config.ts';
import { type Plan, planSchema, type Step } from '../plan/plan-schema.ts';
import type { UnfinishedDocument } from '../plan/print-plan.ts';
import { findHistoryPath, isBaseNewer } from '../sync-base.ts';
import { createStepFingerprint, hasOpenReference } from './send-step.ts';

/*
 * `apply FILE` saves its plan until it is finished. If it is killed and run again, it resumes the same plan with the
 * same operation ids, so no step is applied twice.
 */

const shape = z.object({
  format: z.literal('orgchat-apply'),
  digest: z.string(),
  prune: z.boolean(),
  only: z.array(z.string()).optional(),
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

/**
 * The saved state of the apply of a file, by file, organization and server: what an earlier run left, and where this
 * run saves its plan. Made by `openApply`.
 */
class ApplyState {
  constructor(
    /** The plan that an earlier run did not finish. */
    readonly earlier: UnfinishedApply | undefined,
    private readonly path: string,
    private readonly name: string,
    private readonly inputs: Pick<z.input<typeof shape>, 'digest' | 'prune' | 'only'>,
  ) {}

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
    return { format: 'orgchat-apply', ...this.inputs, over, plan };
  }
}

export type { ApplyState };

/** What decides whether the plan of an earlier run is continued. */
interface OpenOptions {
  readonly prune?: boolean;
  readonly only?: readonly string[];
  /** Whether to give up the earlier plan. */
  readonly replan?: boolean;
}

/** Opens the apply of a file, and reads what an earlier run left. */
export async function openApply(
  { name, text }: ConfigFile,
  { baseUrl, organizationId }: Pick<Plan, 'baseUrl' | 'organizationId'>,
  { prune = false, only, replan = false }: OpenOptions,
): Promise<ApplyState> {
  // Without a history, its content alone decides whether a plan is continued.
  const file = (await findHistoryPath(name)) ?? resolve('-');
  const key = sha256(JSON.stringify([file, baseUrl, organizationId])).slice(0, 32);
  const path = join(stateDirectory(), 'applies', `${key}.json`);
  const inputs = { digest: sha256(text), prune, ...(only && { only: [...only] }) };
  const document = await readJson(path);
  if (document === undefined) return new ApplyState(undefined, path, name, inputs);
  const found = shape.safeParse(document);
  if (!found.success) throw invalidStateError(path);
  const { plan, over, ...before } = found.data;
  const isSame =
    before.digest === inputs.digest &&
    before.prune === prune &&
    isDeepStrictEqual(new Set(before.only), new Set(only));
  return new ApplyState({ plan, isResumable: isSame && !over && !replan }, path, name, inputs);
}

function applyInterferedError(file: string): CliError {
  return new CliError(
    `Another apply or export of ${file} started or finished after this plan was made. Nothing was applied.`,
    {
      code: 'APPLY_UNDER_WAY',
      exit: exitCodes.conflict,
      hint: 'Run the same command again: it resumes an unfinished plan or makes a new one.',
    },
  );
}

function invalidStateError(path: string): CliError {
  return new CliError(`${path} is not the saved state of an unfinished apply.`, {
    code: 'FILE_UNREADABLE',
    exit: exitCodes.failed,
    hint: `Check orgchat ops list --unsettled, then move the file away: ${moveAway(path)}`,
  });
}

export const toUnfinishedDocument = ({ plan, isResumable }: UnfinishedApply): UnfinishedDocument => ({
  since: plan.createdAt,
  steps: plan.steps.length,
  willResume: isResumable,
});

/** Reports an unfinished apply and what happens to it. */
export function reportUnfinishedApply(context: Context, earlier: UnfinishedApply): void {
  const { since, steps, willResume } = toUnfinishedDocument(earlier);
  const next = willResume
    ? 'Run apply to resume it, or orgchat config apply FILE --replan to give it up'
    : 'Apply first settles the steps that were sent, then makes a new plan';
  context.output.note(
    `An apply of this file started at ${since} did not finish (its plan has ${steps} steps). ${next}.`,
  );
}

/**
 * Finds the steps of a plan that are in the journal of this machine and were not rejected. A create whose operation id
 * is only known once all its references exist is found by its fingerprint.
 */
export async function findSentSteps(client: OrgChatClient, { steps, organizationId }: Plan): Promise<Step[]> {
  const unnamed = steps.filter(hasOpenReference).map((step) => createStepFingerprint(organizationId, step));
  const found = await findFingerprints(client, new Set(unnamed));
  const wasSent = async (step: Step): Promise<boolean> => {
    if (hasOpenReference(step)) return found.has(createStepFingerprint(organizationId, step));
    const { action, resource, label, data = {} } = step;
    const input = { organizationId, resource, label, data } as unknown as CreateOnceInput;
    const id = action === 'create' ? await createOperationId(input, 0) : step.operationId;
    const entry = id === undefined ? undefined : await client.operations.get(id);
    return entry !== undefined && wasNotRefused(entry);
  };
  const sent = await Promise.all(steps.map(wasSent));
  return steps.filter((_step, index) => sent[index]);
}

/** Returns which fingerprints operations have that were not rejected. Reads the journal only if any are asked for. */
async function findFingerprints(client: OrgChatClient, asked: ReadonlySet<string>): Promise<Set<string>> {
  const found = new Set<string>();
  let after: OperationEntry | undefined;
  while (found.size < asked.size) {
    const page: OperationEntry[] = await client.operations.list({ after });
    for (const entry of page) {
      const { fingerprint = '' } = entry;
      if (asked.has(fingerprint) && wasNotRefused(entry)) found.add(fingerprint);
    }
    after = page.at(-1);
    if (page.length < maxListed) break;
  }
  return found;
}

const wasNotRefused = ({ state }: OperationEntry): boolean => state !== 'refused' && state !== 'abandoned';
