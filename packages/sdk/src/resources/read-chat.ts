import type { CallOptions } from '../options/options.ts';
import type { Call } from '../results/call-promise.ts';
import type {
  ConfigurationResource,
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

/** The field of a query that decides whether it asks for one record or for a page, if the resource has one. */
type Selection<R extends ReadableResource, Id> = R extends ConfigurationResource
  ? { readonly id?: Id }
  : R extends 'friends'
    ? { readonly userId?: Id }
    : unknown;

/** What `readChat` returns: one record if the query names one, by its id or as a friend; otherwise a page. */
type ReadResult<R extends ReadableResource, Id> = R extends ConfigurationResource | 'friends'
  ? PageUnless<Id, ResourceRecords[R]>
  : RecordPage<ResourceRecords[R]>;

type PageUnless<Selected, T> = [Selected] extends [Absent]
  ? RecordPage<T>
  : Selected extends string
    ? SingleRecord<T>
    : RecordPage<T>;

/** `readChat`, typed by resource: one record if the query names one, otherwise a page. */
export type ReadChat = <R extends ReadableResource, Id extends string | undefined = Absent>(
  query: { readonly resource: R } & Selection<R, Id> & QueryOf<R>,
  options?: CallOptions,
) => Call<ReadResult<R, Id>>;
