import { joinParts } from '../errors/create-errors.ts';
import { OutcomeUnknownError } from '../errors/outcome-unknown.ts';
import { createInvalidInputError } from '../errors/refused.ts';
import { createUnexpectedShapeError } from '../shapes/shape-errors.ts';
import { areStrings, describeId, describeType, isObject } from '../values.ts';
import { parseOperationId } from '../write/operation-id.ts';

/** A request of a keyword import. It can be stored as JSON. */
export interface KeywordRequest {
  /** The id of its journal entry. The server does not see it. */
  readonly operationId: string;
  /** The site that it was sent to. */
  readonly siteId: string;
  /** The group that was sent with it; undefined if there was none. */
  readonly group?: string | undefined;
  /** The keywords that were sent, at most as many as one request may have. */
  readonly keywords: readonly string[];
  /**
   * - `sending`: no outcome yet. In a stored request: its process ended before it knew one.
   * - `added`: answered. The site has all of its keywords.
   * - `refused`: the server refused it as a whole. None of its keywords was added by it.
   * - `unknown`: its keywords may have been added, but for those that `added` and `skipped` name.
   */
  readonly state: 'sending' | 'added' | 'refused' | 'unknown';
  readonly added: readonly string[];
  /** Keywords that the site had before. */
  readonly skipped: readonly string[];
  /** Why it was refused or is unknown: in this process an `OrgChatError`, and its fields once it was stored. */
  readonly error?: KeywordRequestError | undefined;
}

/** The part of an error that a stored request has at least. */
export interface KeywordRequestError {
  readonly code: string;
  readonly message: string;
  /** Of an unknown outcome: the code of the last answer or failure. */
  readonly reason?: string | undefined;
}

const states: readonly unknown[] = [
  'sending',
  'added',
  'refused',
  'unknown',
] satisfies KeywordRequest['state'][];

const describeGroup = (group: unknown): string =>
  group === undefined ? 'no group' : `the group ${describeId(group)}`;

/**
 * Returns the requests that a checkpoint read. Throws if something else was stored, or the requests of another site
 * or group: the site may lack keywords that they added, or have them in another group.
 */
export function requireRequests(value: unknown, siteId: string, group: string | undefined): KeywordRequest[] {
  if (!Array.isArray(value)) {
    throw createInvalidInputError(
      `checkpoint.read() must return an array of requests, or undefined; got ${describeType(value)}.`,
    );
  }
  return value.map((request: unknown, index) => {
    if (
      isObject(request) &&
      typeof request.siteId === 'string' &&
      areStrings(request.keywords) &&
      areStrings(request.added) &&
      areStrings(request.skipped) &&
      states.includes(request.state)
    ) {
      if (request.siteId !== siteId) {
        throw createInvalidInputError(
          `The checkpoint has requests to the site "${request.siteId}", not "${siteId}". Use one checkpoint per site. Nothing was sent.`,
        );
      }
      if ((request.group ?? undefined) !== group) {
        throw createInvalidInputError(
          `The checkpoint has requests with ${describeGroup(request.group)}, and this import has ${describeGroup(group)}. Use one checkpoint per group. Nothing was sent.`,
        );
      }
      return {
        ...(request as unknown as KeywordRequest),
        operationId: parseOperationId(`${request.operationId}`),
      };
    }
    throw createInvalidInputError(
      `Request ${index} returned by checkpoint.read() was not stored by checkpoint.write(). Nothing was sent.`,
    );
  });
}

/** A text in the form in which a server may compare it: without differences of case, width and composition. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase().normalize('NFKC').trim();

/** Ways to spell a keyword, from the strictest. */
const spellings: readonly ((text: string) => string)[] = [(text) => text, (text) => text.trim(), fold];

/** Counts texts in a spelling. */
function countTexts(texts: readonly string[], spell: (text: string) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts.map(spell)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/**
 * Finds what an answer says about each keyword of a request. A server may name keywords in its own form, so keywords that it
 * does not name as they were sent are looked for in other spellings. Each name stands for one keyword, unless there are
 * fewer of them than keywords that a server may take for the same.
 */
function findAnswers(keywords: readonly string[], result: unknown): Map<string, 'added' | 'skipped'> {
  const { added, skipped }: { readonly added?: unknown; readonly skipped?: unknown } = Object(result);
  const lists = Object.entries({ added, skipped }) as ['added' | 'skipped', unknown][];
  const named = lists.map(([status, list]) => ({ status, texts: areStrings(list) ? list : [] }));
  const answers = new Map<string, 'added' | 'skipped'>();
  for (const spell of spellings) {
    const open = keywords.filter((keyword) => !answers.has(keyword));
    if (open.length === 0) break;
    // Names that stand for a keyword already are left for those without a name of their own.
    const taken = countTexts([...answers.keys()], spell);
    const counted = named.map(({ status, texts }) => ({ status, counts: countTexts(texts, spell) }));
    for (const keyword of open) {
      const text = spell(keyword);
      const place = taken.get(text) ?? 0;
      const inOrder = counted.flatMap(({ status, counts }) =>
        Array<typeof status>(counts.get(text) ?? 0).fill(status),
      );
      const status = inOrder[place] ?? inOrder.at(-1);
      if (status === undefined) continue;
      taken.set(text, place + 1);
      answers.set(keyword, status);
    }
  }
  return answers;
}

/**
 * Returns a request with its answer. A keyword that the answer does not name may have been added or not: the request is
 * `unknown` then, but for those that it names.
 */
export function toAnsweredRequest(request: KeywordRequest, result: unknown): KeywordRequest {
  const { keywords } = request;
  const answers = findAnswers(keywords, result);
  const unnamed = keywords.filter((keyword) => !answers.has(keyword));
  return {
    ...request,
    state: unnamed.length === 0 ? 'added' : 'unknown',
    added: keywords.filter((keyword) => answers.get(keyword) === 'added'),
    skipped: keywords.filter((keyword) => answers.get(keyword) === 'skipped'),
    error: unnamed.length === 0 ? undefined : createUnnamedError(request, unnamed),
  };
}

/** How many keywords a message names. */
const maxNames = 5;

function createUnnamedError(
  { operationId, keywords }: KeywordRequest,
  unnamed: readonly string[],
): OutcomeUnknownError {
  const names = unnamed.slice(0, maxNames).map(describeId).join(', ');
  const more = unnamed.length > maxNames ? ` and ${unnamed.length - maxNames} more` : '';
  const why = `The answer to operation ${operationId} names ${keywords.length - unnamed.length} of its ${keywords.length} keywords as added or skipped, and not these: ${names}${more}.`;
  const cause = createUnexpectedShapeError('addSeoKeywords', undefined, { status: 201 }, why);
  const advice =
    'They may have been added. Check the keywords of the site, then pass retryUnknown to send them again.';
  return new OutcomeUnknownError(joinParts(why, advice), {
    code: 'OUTCOME_UNKNOWN',
    reason: cause.code,
    operation: 'addSeoKeywords',
    operationId,
    outcome: 'unknown',
    status: cause.status,
    cause,
  });
}
