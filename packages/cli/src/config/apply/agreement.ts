import { agree, type BaseKey, type Known, readBase } from '../base.ts';
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

function keyOf({ file, baseUrl, organizationId }: Plan): BaseKey | undefined {
  return file === null ? undefined : { file, baseUrl, organizationId };
}

/** Whether file and organization were compared again, by an apply or an export, since the plan looked at them. */
export async function isOvertaken(plan: Plan): Promise<boolean> {
  const key = keyOf(plan);
  return key !== undefined && ((await readBase(key))?.stamp ?? null) !== plan.base;
}

/**
 * Remembers what the file of a plan and the organization are now known to say alike; `whole` where nothing of the
 * plan is left. What the plan saw to be the same counts only where nobody has looked since.
 */
export async function remember(plan: Plan, result: Applied, whole: boolean): Promise<void> {
  const key = keyOf(plan);
  if (key === undefined) return;
  const isNews = !(await isOvertaken(plan));
  await agree(key, {
    whole: whole ? plan.resources : [],
    records: [...(isNews ? plan.unchanged : []), ...recordsOf(result)],
    gone: [...(isNews ? plan.gone : []), ...goneBy(result)],
    // Nobody knows who created them; later it would look as if somebody did so since this apply.
    unmanaged: plan.others.filter(({ origin }) => origin === 'unknown').map(({ id }) => id),
  });
}
