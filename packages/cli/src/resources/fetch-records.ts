import type { CallOptions, ChatReadInput, OrgChatClient } from '@orgchat/sdk';
import type { ReadableResource } from '@orgchat/spec';
import { isObject } from '@orgchat/spec/is-object';
import { boundedResources } from '@orgchat/spec/resources/names';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import type { Row } from '../output/output.ts';
import type { Page } from './read-list.ts';

export type ResourceName = ReadableResource;

function unexpectedShapeError(resource: string): CliError {
  return new CliError(`The API returned an unexpected response shape for ${resource}.`, {
    code: 'UNEXPECTED_ANSWER',
    exit: exitCodes.failed,
    hint: 'Check that this is the right server: orgchat doctor',
  });
}

export type BoundedResource = (typeof boundedResources)[number];
export type PagedResource = Exclude<ResourceName, BoundedResource>;

/** Whether the API bounds this list without an offset: its only page is then all that can be read of it. */
export const isBounded = (resource: ResourceName): resource is BoundedResource =>
  boundedResources.some((bounded) => bounded === resource);

/** The bare read, untyped by resource: here the resource is only known when the command runs. */
function callReadChat(client: OrgChatClient, request: ChatReadInput, call: CallOptions): Promise<unknown> {
  const readChat = client.readChat as (query: ChatReadInput, options: CallOptions) => Promise<unknown>;
  return readChat(request, call);
}

/** Reads one page of a list with an offset. */
export function readPage(
  client: OrgChatClient,
  resource: PagedResource,
  query: Row & { readonly offset?: number; readonly limit?: number },
  call: CallOptions = {},
): Promise<Page> {
  return readList(client, resource, query, call);
}

/** Reads a list that the API bounds without an offset. One request is enough: a second would return the same. */
export function readBounded(
  client: OrgChatClient,
  resource: BoundedResource,
  query: Row,
  call: CallOptions = {},
): Promise<Page> {
  return readList(client, resource, query, call);
}

async function readList(
  client: OrgChatClient,
  resource: ResourceName,
  query: Row,
  call: CallOptions,
): Promise<Page> {
  const answer = await callReadChat(client, { resource, ...query } as ChatReadInput, call);
  if (!isObject(answer) || !Array.isArray(answer.records) || !answer.records.every(isObject))
    throw unexpectedShapeError(resource);
  const { records, total, limited } = answer;
  return { records, total, limited };
}

/** Reads one record. */
export async function readOne(
  client: OrgChatClient,
  resource: ResourceName,
  query: Row,
  call: CallOptions = {},
): Promise<Row> {
  const answer = await callReadChat(client, { resource, ...query } as ChatReadInput, call);
  if (!isObject(answer) || !isObject(answer.record)) throw unexpectedShapeError(resource);
  return answer.record;
}
