import {
  createShapeResolver,
  type ErrorCode,
  findSharedPlace,
  limits,
  meaningsByCode,
  type RefusalShape,
  type ResolvedShape,
  resolveServer,
  type ServerDescription,
} from '@orgchat/spec';
import { createWriteAnswer, type WriteAnswer } from './write-answer.ts';

type ListOrder = ResolvedShape['list']['order'];
type RetryAfter = 'seconds' | 'date' | 'none';

/** The server that a mock stands for: what the decisions say, where its description says nothing else. */
export interface DescribedServer {
  /** The code that answers have for a code of the catalog. */
  readonly toServerCode: (code: ErrorCode) => string;
  /** The most records that a page has. */
  readonly pageSize: number;
  /** Requests per minute and key; undefined for the limit of the contract. */
  readonly perMinute: number | undefined;
  readonly retryAfter: RetryAfter;
  /** Which record of a resource its list begins with. */
  readonly getOrder: (resource: string) => ListOrder;
  readonly comparesBytes: boolean;
  readonly freesRefusedIds: boolean;
  /** How a name that another record has is refused; undefined if it is accepted. */
  readonly duplicateNames: RefusalShape | undefined;
  /** How an unknown reference is refused; undefined as the decisions say, or not at all. */
  readonly unknownReference: RefusalShape | 'accepted' | undefined;
  readonly sendsRequestIdOn2xx: boolean;
  readonly trims: boolean;
  /** Writes the answers that differ; undefined if none does. */
  readonly writeAnswer: WriteAnswer | undefined;
}

/** Resolves the option `server`. Throws what `fail` returns for a sentence that says what is wrong. */
export function resolveDescription(
  option: ServerDescription | undefined,
  fail: (problem: string) => Error,
): DescribedServer {
  const { server, codes, problem } = resolveServer(option);
  if (problem !== undefined) throw fail(problem);
  const shared = findSharedPlace(server);
  if (shared !== undefined) throw fail(shared);
  const { shapes = {}, behavior = {}, limits: given = {} } = server;
  const shapeOf = createShapeResolver(shapes);
  const { duplicateNames = 'accepted' } = behavior;
  return {
    toServerCode: (code) => codes[meaningsByCode[code]][0],
    pageSize: Math.min(given.pageSize ?? limits.pageSize, limits.pageSize),
    perMinute: given.perMinute,
    retryAfter: given.retryAfter ?? 'seconds',
    getOrder: (resource) => shapeOf(resource).list.order,
    comparesBytes: behavior.replayCompares === 'bytes',
    freesRefusedIds: behavior.refusedIdIsFree ?? true,
    duplicateNames: duplicateNames === 'accepted' ? undefined : duplicateNames,
    unknownReference: behavior.unknownReference,
    sendsRequestIdOn2xx: behavior.requestIdOn2xx ?? true,
    trims: behavior.trims ?? true,
    writeAnswer: createWriteAnswer(server),
  };
}
