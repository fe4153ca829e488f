import { agree, type Known, readBase } from '../base.ts';
import type { Plan } from '../plan/document.ts';
import type { Applied } from './run.ts';

type Gone = Pick<Known, 'resource' | 'id'>;

function recordsOf({ done }: Applied): Known[] {
  return done.flatMap(({ step: { resource }, made: { id, data } }) =>
    data === undefined ? [] : [{ resource, id, data }],
  );
}

function goneBy({ done }: Applied): Gone[] {
  return done.flatMap(({ step: { resource, action, id, formerId } }) => {
    const before = action === 'delete' ? id : formerId;
    return before === undefined ? [] : [{ resource, id: before }];
  });
}

/**
 * Remembers what the file of a plan and the organization are now known to say alike; `whole` where nothing of the
 * plan is left. What the plan saw to be the same counts only where nobody has looked since.
 */
export async function remember(plan: Plan, result: Applied, whole: boolean): Promise<void> {
  const { file, baseUrl, organizationId } = plan;
  if (file === null) return;
  const key = { file, baseUrl, organizationId };
  const base = await readBase(key);
  const isNews = base === undefined || base.updatedAt < plan.createdAt;
  await agree(key, {
    whole: whole ? plan.resources : [],
    records: [...(isNews ? plan.unchanged : []), ...recordsOf(result)],
    gone: [...(isNews ? plan.gone : []), ...goneBy(result)],
  });
}
