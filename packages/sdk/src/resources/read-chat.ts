import type { CallOptions } from '../options/options.ts';
import type { Call } from '../results/call-promise.ts';
import type {
  ConfigurationResource,
  Friend,
  QueryOf,
  ReadableResource,
  RecordPage,
  ResourceRecords,
  SingleRecord,
} from '../types.ts';

/** The type of an id that a query does not have. No value has it. */
declare enum Absent {
  value = '',
}

/** The type of an id in the query of a resource; undefined if the query has no such field. */
type SelectorOf<R extends ReadableResource, Field extends 'id' | 'userId'> = Field extends keyof QueryOf<R>
  ? string | undefined
  : undefined;

/** What in a query decides whether it asks for one record or for a page. */
interface QuerySelection<R extends ReadableResource, Id, UserId> {
  readonly resource: R;
  readonly id?: Id;
  readonly userId?: UserId;
}

/** What `readChat` returns: one record if the query names one, by its id or as a friend; otherwise a page. */
type ReadResult<R extends ReadableResource, Id, UserId> = R extends ConfigurationResource
  ? PageUnless<Id, ResourceRecords[R]>
  : R extends 'friends'
    ? PageUnless<UserId, Friend>
    : RecordPage<ResourceRecords[R]>;

type PageUnless<Selected, T> = [Selected] extends [Absent]
  ? RecordPage<T>
  : Selected extends string
    ? SingleRecord<T>
    : RecordPage<T>;

/** `readChat`, typed by resource: one record if the query names one, otherwise a page. */
export type ReadChat = <
  R extends ReadableResource,
  Id extends SelectorOf<R, 'id'> = Absent & SelectorOf<R, 'id'>,
  UserId extends SelectorOf<R, 'userId'> = Absent & SelectorOf<R, 'userId'>,
>(
  query: QuerySelection<R, Id, UserId> & QueryOf<R>,
  options?: CallOptions,
) => Call<ReadResult<R, Id, UserId>>;
