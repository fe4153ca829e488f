import { type CreateOnceInput, createOperationId } from '@orgchat/sdk/internal';
import { findRequiredSteps, type Plan, type Step } from './plan-schema.ts';

/**
 * Adds the operation ids of creates. The id of a create is derived from its data, so it is unknown while the data
 * refers to a record of another step.
 */
export async function withCreateIds(plan: Plan): Promise<Plan> {
  const { organizationId } = plan;
  const withId = async (step: Step): Promise<Step> => {
    if (step.action !== 'create' || findRequiredSteps(step).length > 0) return step;
    const { resource, label, data } = step;
    const input = { organizationId, resource, label, data } as unknown as CreateOnceInput;
    return { ...step, operationId: await createOperationId(input, 0) };
  };
  return { ...plan, steps: await Promise.all(plan.steps.map(withId)) };
}
