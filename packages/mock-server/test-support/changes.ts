import type { ConfigurationResource } from '@orgchat/spec';
import type { Answer, Item } from './caller.ts';
import { data } from './data.ts';
import type { MockUnderTest } from './mock-under-test.ts';

interface Changes {
  /** A change under a new operationId. */
  readonly apply: (change: object) => Promise<Answer>;
  /** Creates a record with the smallest valid data of a resource. */
  readonly create: (resource: ConfigurationResource) => Promise<Item>;
}

/** Creates functions that change records with the write key. */
export function createChanges(subject: MockUnderTest): Changes {
  const apply = (change: object) => subject.caller.apply(change);
  return {
    apply,
    create: async (resource) =>
      (await apply({ action: `create-${resource}`, data: data[resource] })).body.result,
  };
}
