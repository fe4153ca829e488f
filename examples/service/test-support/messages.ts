import type { FaultInput, RequestLogEntry } from '@orgchat/mock-server';

/** A moment of a request at the mock: before it is processed, before its answer is sent, or after. */
export type Moment = 'arrival' | 'applied' | 'answered';

/** Orders for the process of the mock. */
export type MockOrder =
  /** Kills a process at the moment of a request, after some others; `spare` calls that off. */
  | { readonly kind: 'kill'; readonly pid: number; readonly moment: Moment; readonly after: number }
  | { readonly kind: 'spare' }
  | { readonly kind: 'fault'; readonly fault: FaultInput }
  | { readonly kind: 'report' };

/** What the process of the mock reports. */
export type MockReport =
  | { readonly kind: 'listening'; readonly baseUrl: string }
  | { readonly kind: 'done' }
  | {
      readonly kind: 'report';
      readonly requests: readonly RequestLogEntry[];
      readonly dropped: number;
      readonly keywords: readonly string[];
      /** The keywords of every request that arrived whole, in order; one that was sent twice is in here twice. */
      readonly sentKeywords: readonly string[];
    };
