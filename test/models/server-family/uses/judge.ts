import { OrgChatError } from '@orgchat/sdk';
import type { StoredResource } from '../server/organization.ts';
import type { Stage } from './stage.ts';
import { Refused, Wrong } from './verdict-errors.ts';

/** Something that a program or a person does, with any resource of a list. */
export interface Use {
  readonly name: string;
  readonly resources: readonly StoredResource[];
  /** Resolves if the effect was the right one. */
  run(stage: Stage, resource: StoredResource): Promise<void>;
}

/**
 * - `works`: the effect on the server is the right one, and so is each record that was returned.
 * - `refuses`: the client said that the server is of an unknown shape, before a change was sent.
 * - `wrong`: anything else.
 */
export type Verdict = 'works' | 'refuses' | 'wrong';
export interface Judgment {
  readonly verdict: Verdict;
  readonly why?: string;
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Refused || (error instanceof OrgChatError && error.code === 'UNEXPECTED_SHAPE');

export async function judge(use: Use, stage: Stage, resource: StoredResource): Promise<Judgment> {
  try {
    await use.run(stage, resource);
    return { verdict: 'works' };
  } catch (error) {
    if (error instanceof Wrong) return { verdict: 'wrong', why: error.message };
    const why = error instanceof OrgChatError ? `${error.code}: ${error.message}` : String(error);
    if (!isRefusal(error)) return { verdict: 'wrong', why };
    if (stage.unchecked > 0) return { verdict: 'wrong', why: `A change was sent, then ${why}` };
    return { verdict: 'refuses', why };
  }
}
