import { type ClientOptions, createClient, type OrgChatClient, type ServerDescription } from '@orgchat/sdk';
import { createOrganization } from '../create-organization.ts';
import { createPresentation } from '../members/create-presentation.ts';
import { describeMember } from '../members/describe-member.ts';
import type { Member } from '../members/members.ts';
import type { Resource } from '../server/inputs.ts';
import type { Stored, StoredResource } from '../server/organization.ts';
import { keys, Service } from '../server/service.ts';
import type { FamilyServer, Responder } from '../server/start-server.ts';
import { Twin } from '../twin.ts';
import { createDirectFetch } from './direct-fetch.ts';
import type { StagedService } from './staged-service.ts';
import { Wrong } from './verdict-errors.ts';

/** A record as the client returns it. What is in it is for the checks to find out. */
export type Row = Readonly<Record<string, unknown>>;
interface Outcome {
  readonly applied: boolean;
  readonly result?: Row | null | undefined;
}

/** The methods of a configuration resource, whichever it is. */
export interface Methods {
  list(): { toArray(): Promise<Row[]> };
  get(id: string, options?: { readonly retry: false }): Promise<Row>;
  find(criteria: object): Promise<Row | undefined>;
  upsert(data: object, options: object): Promise<{ readonly outcome: string; readonly record: Row }>;
  create(data: object): Promise<Outcome>;
  update(record: Row, data: object): Promise<Outcome>;
  edit(id: string, change: (data: Row) => object): Promise<Outcome>;
  delete(record: Row): Promise<Outcome>;
}

/** How a use reaches a server, and what it knows of it. */
export interface StageOptions {
  /** Whether the client has the description of the server. */
  readonly isDescribed: boolean;
  /** A server to reach over HTTP; without one, calls stay in this process. */
  readonly family?: FamilyServer<Responder> | undefined;
  /** Creates the client; another one than the SDK's in tests of the judgment. */
  readonly create?: ((options: ClientOptions) => OrgChatClient) | undefined;
}

/** A server of a member that is as new, and a client of it. */
export class Stage {
  readonly service: StagedService;
  /** The description of the server. */
  readonly description: ServerDescription;
  readonly client: OrgChatClient;
  /** Changes that earlier calls of the use sent. */
  #checked = 0;

  constructor(
    readonly member: Member,
    readonly options: StageOptions,
  ) {
    const { choices, learned } = member;
    const { isDescribed, family, create = createClient } = options;
    this.description = learned ?? (describeMember(choices) as unknown as ServerDescription);
    this.service = learned
      ? new Twin(learned)
      : new Service(createOrganization(choices), createPresentation(choices));
    if (family !== undefined) family.service = this.service;
    this.client = create({
      baseUrl: family?.baseUrl ?? 'http://family.test/api/v1',
      apiKey: keys.write,
      pacing: false,
      timeoutMs: 5_000,
      retry: { maxAttempts: 2, baseDelayMs: 1, maxDelayMs: 2 },
      ...(family === undefined && { fetch: createDirectFetch(this.service) }),
      ...(isDescribed && { server: this.description }),
    });
  }

  methods(resource: Resource): Methods {
    const name = resource.replace(/-(\w)/, (_, letter: string) => letter.toUpperCase());
    return this.client[name as 'tags'] as unknown as Methods;
  }

  records(resource: StoredResource): readonly Stored[] {
    return this.service.organization.records[resource];
  }

  record(resource: StoredResource, index = 0): Stored {
    const found = this.records(resource)[index];
    if (found === undefined) throw new Wrong(`the server has no record ${index} of ${resource}`);
    return found;
  }

  /** Everything that was sent so far had the right effect. */
  markChecked(): void {
    this.#checked = this.service.changes.length;
  }

  /** Changes that were sent since the last check. */
  get unchecked(): number {
    return this.service.changes.length - this.#checked;
  }
}
