import { createMock, type Mock, type MockOptions } from '@orgchat/mock-server';
import { Caller } from '../../../packages/mock-server/test-support/caller.ts';
import { document } from '../../../spec/test-support/document.ts';

export interface Service {
  readonly mock: Mock;
  /** Calls with the write key. */
  readonly caller: Caller;
}

/** A mock without limits, except for tests of limits. */
export function serve(options: MockOptions = {}): Service {
  const mock = createMock({ rateLimit: 'off', monthlyLimit: 'off', ...options });
  return { mock, caller: new Caller({ baseUrl: mock.baseUrl, fetch: mock.fetch }) };
}

/** What a read of these resources has to say beside their names. */
export async function findReadInputs(caller: Caller): Promise<Record<string, object>> {
  const friend = (await caller.read({ resource: 'friends', search: 'aiko' })).body.records[0];
  const person = { accountId: friend?.accountId, userId: friend?.userId };
  return {
    messages: person,
    'friend-automations': person,
    'form-submissions': { id: (await caller.first('forms')).id },
    'link-clicks': { id: (await caller.first('links')).id },
  };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: { readonly type: string };
}

/** Parts of the document that clauses require, other than paths and schemas. */
export interface Contract {
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly webhooks?: unknown;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly securitySchemes: Readonly<Record<string, { readonly type: string; readonly scheme: string }>>;
    readonly callbacks?: unknown;
    readonly responses: Readonly<
      Record<string, { readonly headers: Readonly<Record<string, { readonly schema: unknown }>> }>
    >;
  };
}
export const contract = document as unknown as Contract;
export const contractText = JSON.stringify(document);

/** Every operation of the document with its method and path. */
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

interface Union {
  readonly oneOf?: readonly { readonly $ref: string }[];
}

interface Variant {
  readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
}

/** The names that select a variant of a component, such as the actions of `ChatChange`. */
export function listVariants(component: string): string[] {
  const schemas = document.components.schemas as Readonly<Record<string, Union & Variant>>;
  const { oneOf = [] } = schemas[component] ?? {};
  if (oneOf.length === 0) throw new Error(`${component} has no variants`);
  return oneOf.flatMap(({ $ref }) => {
    const { properties = {} } = schemas[$ref.split('/').at(-1) ?? ''] ?? {};
    // Each variant has exactly one value of the field that selects it.
    const selector = properties.action ?? properties.resource;
    if (selector?.enum?.length !== 1) throw new Error(`${$ref} is not selected by one value`);
    return selector.enum;
  });
}
