import * as z from 'zod';
import { operationName } from '../../input-checks/request-criteria.ts';
import { memoize } from '../../memoize.ts';
import { formatRequestLog } from '../../request-log/format-request-log.ts';
import { toHar } from '../../request-log/har.ts';
import { getRequest, listRequests, requestPage } from '../../request-log/read-log.ts';
import { verification, verify } from '../../request-log/verify.ts';
import { type ControlCalls, done } from '../call.ts';

/* The request log. */

/** What the answers consist of. */
export const requestAnswers = memoize(() => {
  const text = z.string();
  const textOrNull = z.string().nullable();
  const count = z.int().min(0);
  const moment = z.string().meta({ format: 'date-time' });

  /** Why a request ended as it did. */
  const decidedBy = z
    .object({
      step: text.meta({ description: 'The step of the pipeline that decided, such as `enforceLimits`.' }),
      clause: text.optional().meta({ description: 'The number of a clause in spec/SPECIFICATION.md.' }),
      decision: text.optional().meta({ description: 'The number of a decision in spec/DECISIONS.md.' }),
      because: text.meta({
        description: 'Why, in a sentence or two. A refusal says what would have passed.',
      }),
      problems: z
        .array(
          z
            .object({
              path: text.meta({
                description: 'The path in the body, such as change.data.name; empty for the body itself.',
              }),
              message: text.meta({ description: 'What is wrong there, in a sentence.' }),
              sent: text.optional().meta({
                description:
                  'The value that was sent, as JSON; its start if it is long. Absent if it is missing.',
              }),
              didYouMean: text.optional().meta({
                description: 'The known field or value that was probably meant.',
              }),
              correction: text.optional().meta({
                description: 'What would be valid, in a sentence; of the first problem.',
              }),
            })
            .meta({ id: 'BodyProblem', description: 'A problem of a body.' }),
        )
        .optional()
        .meta({
          description:
            'All problems of a body that does not match, up to 20, the likely cause of others first. Absent for other reasons.',
        }),
      moreProblems: z.int().min(1).optional().meta({
        description: 'Number of further problems that are not listed. Absent if all are.',
      }),
    })
    .meta({
      id: 'DecidedBy',
      description: 'Why a request ended as it did. It always has a clause, a decision or both.',
    });

  /** A request in the log. */
  const requestLogEntry = z
    .object({
      id: z.int().min(1).meta({ description: 'Increases with each request; never used twice.' }),
      requestId: text.meta({ description: 'The X-Request-Id of the answer.' }),
      receivedAt: moment,
      method: text,
      path: text.meta({ description: 'Below the base URL.' }),
      operation: operationName().nullable(),
      action: textOrNull,
      resource: textOrNull.meta({ description: 'What the request reads or changes.' }),
      operationId: textOrNull,
      key: textOrNull.meta({ description: 'The masked key; null if none was sent.' }),
      keyName: textOrNull,
      answered: z.boolean().meta({ description: 'Whether a whole answer was sent.' }),
      status: z.int().nullable().meta({
        description: 'The status that was sent, or that the lost answer had; null if there was none.',
      }),
      error: textOrNull.meta({ description: 'The error code of an error; null for a success.' }),
      applied: z.boolean().meta({
        description: 'Whether this request, not an earlier one, changed something.',
      }),
      replayOf: textOrNull.meta({ description: 'The request whose stored answer this request got again.' }),
      recordId: textOrNull,
      recordName: textOrNull.meta({
        description:
          'The name of the record that it creates, reads or changes: of a friend the display name, of a keyword write the keywords.',
      }),
      revisionBefore: textOrNull,
      revisionAfter: textOrNull,
      faults: z.array(text).meta({ description: 'The effects of the faults that hit it.' }),
      rewoundTo: textOrNull.meta({
        description: 'Of a rewind, whose action is rewind: the requestId of the request it went back to.',
      }),
      decidedBy,
    })
    .meta({ id: 'RequestLogEntry', description: 'A request in the request log.' });

  const droppedRequests = z
    .object({
      entries: count.meta({ description: 'Number of dropped entries, the oldest first.' }),
      bodies: count.meta({ description: 'Number of dropped bodies, including those of dropped entries.' }),
    })
    .meta({ id: 'DroppedRequests', description: 'What a full request log dropped to make room.' });

  const loggedBody = {
    headers: z.record(text, text).meta({ description: 'By lowercase names; keys are masked.' }),
    body: z.unknown().meta({
      description:
        'A JSON value if the body is JSON with at most 100 levels, else text; null if the body is empty or was dropped.',
    }),
    bodyBytes: count.meta({ description: 'The size of the body as it came, in bytes.' }),
    bodyKept: z.enum(['complete', 'truncated', 'dropped']).meta({
      id: 'KeptPart',
      description: 'How much of the body the log has: all of it, the first 64 KiB, or nothing.',
    }),
  };

  const requestDetail = requestLogEntry
    .extend({
      request: z
        .object({ query: text, ...loggedBody })
        .meta({ id: 'LoggedRequest', description: 'The request as it came.' }),
      response: z
        .object(loggedBody)
        .meta({ id: 'LoggedResponse', description: 'The response, without headers of the transport.' })
        .nullable()
        .meta({ description: 'Null if no response was made. A response that a fault lost is here too.' }),
    })
    .meta({ id: 'RequestDetail', description: 'A request in the log with headers and bodies.' });

  const har = z
    .looseObject({ log: z.looseObject({ version: z.literal('1.2'), entries: z.array(z.looseObject({})) }) })
    .meta({ id: 'HttpArchive', description: 'The kept requests as HAR 1.2.' });

  const difference = z
    .object({
      field: text.meta({ description: 'A field, or a path in the body: body.change.data.name.' }),
      expected: z.unknown(),
      found: z.unknown().optional().meta({
        description: 'Null if the request has no such value; absent if its body has no such field.',
      }),
    })
    .meta({
      id: 'Difference',
      description: 'How a request differs from what was expected. Keys are masked.',
    });

  const verificationFailure = z
    .looseObject({
      error: text,
      message: text,
      expected: verification().shape.times,
      count: count.meta({ description: 'Number of matches among the kept entries.' }),
      complete: z.boolean().meta({
        description: 'Whether the count is certain; false if dropped entries could match.',
      }),
      dropped: droppedRequests,
      nearMisses: z.array(
        z.object({
          missed: z.array(text).meta({ description: 'The criteria that the request does not match.' }),
          differences: z.array(difference),
          request: requestLogEntry,
        }),
      ),
    })
    .meta({ id: 'VerificationFailure', description: 'The count differs, or is not certain.' });

  return { requestLogEntry, droppedRequests, requestDetail, har, verificationFailure };
});

export const requestCalls = {
  listRequests: {
    method: 'GET',
    path: '/requests',
    query: requestPage,
    tag: 'Requests',
    summary: 'The request log',
    description: 'The kept entries, oldest first. To continue, pass the id of the last entry as `after`.',
    answer: () => {
      const { requestLogEntry, droppedRequests } = requestAnswers();
      return z
        .object({ requests: z.array(requestLogEntry), dropped: droppedRequests })
        .meta({ id: 'RequestList', description: 'Entries of the request log, oldest first.' });
    },
    mock: 'requests.list',
    run: ({ world }, page = {}) => listRequests(world.requestLog, page),
    toAnswer: (requests, _request, mock) => ({ requests, dropped: mock.requests.dropped() }),
  },
  getRequest: {
    method: 'GET',
    path: '/requests/{requestId}',
    tag: 'Requests',
    summary: 'One request with headers and bodies',
    description: 'By its id, a number, or its requestId.',
    parameters: { requestId: { description: 'The id or the requestId of a request.', example: '1' } },
    errors: [404],
    answer: () => requestAnswers().requestDetail,
    mock: 'requests.get',
    run: ({ world }, id) => getRequest(world.requestLog, id),
  },
  getRequestsHar: {
    method: 'GET',
    path: '/requests.har',
    tag: 'Requests',
    summary: 'The request log as an HTTP archive (HAR 1.2)',
    answer: () => requestAnswers().har,
    mock: 'requests.har',
    run: ({ world, baseUrl }) => toHar(world.requestLog.list(), baseUrl),
  },
  getRequestsText: {
    method: 'GET',
    path: '/requests.txt',
    text: 'text/plain; charset=utf-8',
    tag: 'Requests',
    summary: 'The request log as a text',
    description:
      'A line per request, and why if it was not answered with a success: for the report of a test.',
    answer: () => z.string(),
    mock: 'requests.text',
    run: formatRequestLog,
  },
  clearRequests: {
    method: 'DELETE',
    path: '/requests',
    tag: 'Requests',
    summary: 'Clear the request log',
    answer: done,
    mock: 'requests.clear',
    run: ({ world }) => world.requestLog.clear(),
  },
  verifyRequests: {
    method: 'POST',
    path: '/requests/verify',
    body: verification,
    bodyRequired: true,
    tag: 'Requests',
    summary: 'Compare the number of matching requests with the expected number',
    description:
      '409 with the count and near misses if it differs, or if dropped entries could match. 400 if no request can ever match: an unknown key, an action of another operation, a status that is not declared, or, with applied true, a body that is not valid.',
    errors: [409],
    example: { operation: 'getAccount', status: 401, times: { atMost: 0 } },
    answer: done,
    mock: 'requests.verify',
    run: ({ world }, expected) => verify(world, expected),
  },
} as const satisfies ControlCalls;
