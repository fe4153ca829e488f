import type { RequestEntry, SandboxEntry } from '../../control-api/types.ts';
import { countOf, formatNumber } from '../../text/count.ts';
import { isFromOutside } from '../requests/request-words.ts';

type Counts = Pick<SandboxEntry, 'requests' | 'refused'>;

/** `no request yet`, `3 requests, none refused` or `2 of 3 refused`. */
export function describeCounts({ requests, refused }: Counts): string {
  if (requests === 0) return 'no request yet';
  if (refused === 0) return `${countOf(requests, 'request')}, none refused`;
  return `${formatNumber(refused)} of ${formatNumber(requests)} refused`;
}

/** `3 requests came, and 2 of them were refused.` */
export function describeRequests({ requests, refused }: Counts): string {
  const came = `${countOf(requests, 'request')} came`;
  if (refused === 0) return `${came}, and none was refused.`;
  if (refused === requests) return `${came}, and ${requests === 1 ? 'it was' : 'all were'} refused.`;
  return `${came}, and ${formatNumber(refused)} of them ${refused === 1 ? 'was' : 'were'} refused.`;
}

/** What the shown entries of a log are: all requests or the last ones, and calls of the control API. */
export function describeShown(
  shown: readonly Pick<RequestEntry, 'operation' | 'applied' | 'rewoundTo'>[],
  { requests }: Pick<Counts, 'requests'>,
  hasMore: boolean,
): string {
  const calls = shown.filter(isFromOutside).length;
  const others = calls === 0 ? '' : ` and ${countOf(calls, 'call')} of the control API`;
  const number = shown.length - calls;
  if (hasMore || number < requests)
    return calls === 0
      ? `The last ${number}, newest first:`
      : `The last ${countOf(number, 'request')}${others}, newest first:`;
  if (calls > 0) return `${number === 1 ? 'It' : `All ${number}`}${others}, newest first:`;
  return number === 1 ? 'It is:' : `All ${number}, newest first:`;
}

/** ` · 6 with refusals`; empty if no sandbox has any. */
export function describeRefused(sandboxes: readonly Pick<SandboxEntry, 'refused'>[]): string {
  const number = sandboxes.filter(({ refused }) => refused > 0).length;
  return number === 0 ? '' : ` · ${formatNumber(number)} with refusals`;
}

/** The pieces of an address, each with the slash at its end: it breaks only between them. */
export const splitAddress = (address: string): readonly string[] => address.split(/(?<=\/)(?!\/)/);
