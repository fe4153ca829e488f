import {
  type ApiResponse,
  type Call,
  type CallOptions,
  type OrgChatClient,
  OrgChatError,
} from '@orgchat/sdk';
import { requirePage, requireRecordAnswer } from '@orgchat/sdk/pipeline/response-shapes';
import type { ReadableResource } from '@orgchat/spec';
import { boundedResources } from '@orgchat/spec/resources/names';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import type { Row } from '../output/output.ts';
import type { Page } from './read-list.ts';

export type ResourceName = ReadableResource;

/** Waits for an answer of the SDK. An unexpected shape becomes the error of the command; `what` names the answer. */
export async function requireShape<T>(what: string, answer: PromiseLike<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    // A server may use the same code with a status of failure.
    const isShape = cause instanceof OrgChatError && cause.code === 'UNEXPECTED_SHAPE';
    if (!isShape || (cause.status ?? 0) >= 300) throw cause;
    throw new CliError(`The API returned an unexpected response shape for ${what}.`, {
      code: 'UNEXPECTED_ANSWER',
      exit: exitCodes.failed,
      hint: 'Check that this is the right server: orgchat doctor',
      cause,
    });
  }
}

export type BoundedResource = (typeof boundedResources)[number];
export type PagedResource = Exclude<ResourceName, BoundedResource>;

/** Whether the API bounds this list without an offset: its only page is then all that can be read of it. */
export const isBounded = (resource: ResourceName): resource is BoundedResource =>
  boundedResources.some((bounded) => bounded === resource);

/** The bare read, untyped by resource: here the resource is only known when the command runs. */
function callReadChat<T>(client: OrgChatClient, query: Row, call: CallOptions): Promise<ApiResponse<T>> {
  const readChat = client.readChat as unknown as (query: Row, options: CallOptions) => Call<T>;
  return readChat(query, call).withResponse();
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

function readList(
  client: OrgChatClient,
  resource: ResourceName,
  query: Row,
  call: CallOptions,
): Promise<Page> {
  const read = async (): Promise<Page> => {
    const answer = await callReadChat<Page>(client, { resource, ...query }, call);
    return requirePage('readChat', resource, 'records', answer).data;
  };
  return requireShape(resource, read());
}

/** Reads one record. */
export function readOne(
  client: OrgChatClient,
  resource: ResourceName,
  query: Row,
  call: CallOptions = {},
): Promise<Row> {
  const read = async (): Promise<Row> => {
    const answer = await callReadChat<{ record: Row }>(client, { resource, ...query }, call);
    return requireRecordAnswer('readChat', resource, answer).data;
  };
  return requireShape(resource, read());
}
