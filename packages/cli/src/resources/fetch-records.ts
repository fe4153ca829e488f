import { type CallOptions, type OrgChatClient, OrgChatError } from '@orgchat/sdk';
import { getChatApi } from '@orgchat/sdk/internal';
import type { ReadableResource } from '@orgchat/spec';
import { boundedResources } from '@orgchat/spec/resources/names';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import type { Row } from '../output/output.ts';
import type { ListedPage, Page, ReadPages } from './read-list.ts';

export type ResourceName = ReadableResource;

/** Waits for an answer of the SDK. An unexpected shape becomes the error of the command; `what` names the answer. */
export async function requireShape<T>(what: string, answer: PromiseLike<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    // A server may use the same code with a status of failure.
    const isShape = cause instanceof OrgChatError && cause.code === 'UNEXPECTED_SHAPE';
    if (!isShape || (cause.status ?? 0) >= 300) throw cause;
    const isEndless = cause.reason === 'no-new-records';
    const message = isEndless
      ? `The list of ${what} does not end: its pages repeat.`
      : `The API returned an unexpected response shape for ${what}.`;
    throw new CliError(isEndless ? message : `${message} ${cause.message}`, {
      code: 'UNEXPECTED_ANSWER',
      exit: exitCodes.failed,
      hint: isEndless
        ? 'The server seems to ignore the offset or cursor. Check the base URL: orgchat doctor'
        : 'If this is the right server, describe how it answers in a file for --server: orgchat help server',
      cause,
    });
  }
}

/** Yields the pages of a list of the SDK. An unexpected shape becomes the error of the command. */
export async function* requirePages<P>(what: string, pages: AsyncIterable<P>): AsyncGenerator<P> {
  const iterator = pages[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await requireShape(what, iterator.next());
    if (done) return;
    yield value;
  }
}

export type BoundedResource = (typeof boundedResources)[number];
export type PagedResource = Exclude<ResourceName, BoundedResource>;

/** Whether the API bounds this list without an offset: its only page is then all that can be read of it. */
export const isBounded = (resource: ResourceName): resource is BoundedResource =>
  boundedResources.some((bounded) => bounded === resource);

/** Reads a list with an offset, page by page. */
export function listPages(
  client: OrgChatClient,
  resource: PagedResource,
  query: { readonly accountId?: string; readonly search?: string },
  call: CallOptions,
): ReadPages {
  return (part) => {
    const options = { ...query, ...part, ...call };
    const pages: AsyncIterable<object> = client[resource].list(options).pages();
    // Records of any resource are rows here.
    return requirePages(resource, pages as AsyncIterable<ListedPage>);
  };
}

/** Reads the first page of a list with an offset. */
export function readPage(
  client: OrgChatClient,
  resource: PagedResource,
  query: Row & { readonly limit?: number },
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
    const { read: readChat, shapes } = getChatApi(client);
    return shapes.toPage<Row>(resource, await readChat({ resource, ...query }, call)).data;
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
    const answer = await getChatApi(client).readRecord<Row>({ resource, ...query }, call);
    return answer.data;
  };
  return requireShape(resource, read());
}
