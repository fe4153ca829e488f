import type { CallOptions, ChatReadInput, OrgChatClient } from '@orgchat/sdk';
import type { ReadableResource } from '@orgchat/spec';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import type { Page } from '../lists.ts';
import type { Row } from '../output/output.ts';

export type ResourceName = ReadableResource;

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function unexpected(resource: string): Failure {
  return new Failure(`The API answered the read of ${resource} with something this version does not know.`, {
    code: 'UNEXPECTED_ANSWER',
    exit: exitCodes.failed,
    hint: 'Is this the right server? orgchat doctor',
  });
}

/** Some lists are bounded by the API and take neither offset nor limit. */
const unpaged: ReadonlySet<ResourceName> = new Set([
  'accounts',
  'conversations',
  'form-submissions',
  'friend-automations',
  'link-clicks',
]);

/** The bare read, untyped by resource: here the resource is only known when the command runs. */
function ask(client: OrgChatClient, request: ChatReadInput, call: CallOptions): Promise<unknown> {
  const readChat = client.readChat as (query: ChatReadInput, options: CallOptions) => Promise<unknown>;
  return readChat(request, call);
}

/** A page of a list. What comes past a list that takes no offset cannot be asked for. */
export async function readPage(
  client: OrgChatClient,
  resource: ResourceName,
  query: Row & { readonly offset?: number; readonly limit?: number },
  call: CallOptions = {},
): Promise<Page> {
  const { offset, limit, ...rest } = query;
  const request = unpaged.has(resource) ? rest : resource === 'messages' ? { ...rest, limit } : query;
  const answer = await ask(client, { resource, ...request } as ChatReadInput, call);
  if (!isRow(answer) || !Array.isArray(answer.records)) throw unexpected(resource);
  const records = answer.records.filter(isRow);
  const end = (offset ?? 0) + records.length;
  const total = typeof answer.total === 'number' ? answer.total : end;
  return { records, total, limited: answer.limited === true || end < total };
}

/** One record. */
export async function readOne(
  client: OrgChatClient,
  resource: ResourceName,
  query: Row,
  call: CallOptions = {},
): Promise<Row> {
  const answer = await ask(client, { resource, ...query } as ChatReadInput, call);
  if (!isRow(answer) || !isRow(answer.record)) throw unexpected(resource);
  return answer.record;
}
