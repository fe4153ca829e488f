import type { ReadableResource } from '@orgchat/spec';
import { isErrorDocument, isOutage, outage, readRefusal, zeroId, zeroUser } from '../answers.ts';
import type { ContractRequest } from '../exchange.ts';
import type { Probe } from '../probe.ts';
import type { ProbeResult } from '../probe-result.ts';

/* Requests that have to be refused: keys, invalid input, unknown paths and records that do not exist. */

const read = (body: Readonly<Record<string, unknown>>): ContractRequest => ({
  method: 'POST',
  path: '/chat/read',
  body,
});

const auth = (name: string, key: 'none' | 'wrong', clause: string): Probe => ({
  name: `auth/${name}`,
  group: 'auth',
  topics: ['auth.refused', 'codes.unauthorized'],
  clauses: [clause, '7.1.1'],
  async ask({ send }) {
    const answer = await send({ method: 'GET', path: '/me', key });
    return readRefusal(answer, name, 'unauthorized', { topic: 'auth.refused', clause });
  },
});

const invalid = (name: string, request: ContractRequest, clause: string): Probe => ({
  name: `invalid/${name}`,
  group: 'invalid',
  topics: ['invalid.refused', 'codes.invalidInput'],
  clauses: [clause, '7.1.1'],
  async ask({ send }) {
    return readRefusal(await send(request), name, 'invalidInput', { topic: 'invalid.refused', clause });
  },
});

const languageTopics = ['errors.localized', 'errors.language', 'codes.invalidInput'] as const;

/** One invalid request in each language and in none. The texts are compared and not kept. */
const languages: Probe = {
  name: 'invalid/languages',
  group: 'invalid',
  topics: languageTopics,
  clauses: ['7.1.2', '7.1.3'],
  async ask({ send }) {
    const request = read({ resource: 'tags', limit: 0 });
    const answers = [
      await send(request),
      await send({ ...request, language: 'en' }),
      await send({ ...request, language: 'ja' }),
    ];
    const failed = answers.find(isOutage);
    if (failed !== undefined) return languageTopics.map((topic) => outage(topic, 'languages', failed));
    const codes = new Set(answers.map(({ json }) => (isErrorDocument(json) ? json.error : undefined)));
    const [code] = codes;
    const requests = answers.map((answer) => answer.request);
    if (codes.size > 1)
      return [
        {
          topic: 'codes.invalidInput',
          clause: '7.1.2',
          what: 'the code changes with the language',
          requests,
        },
      ];
    if (code === undefined)
      return [{ topic: 'errors.localized', place: 'languages', unknown: 'errors have no message' }];
    const [plain, en, ja] = answers.map(({ json }) => String((json as { message?: unknown }).message));
    if (en === ja)
      return [
        {
          topic: 'errors.localized',
          clause: '7.1.3',
          what: 'the message is the same with Accept-Language en and ja',
          requests,
        },
      ];
    const language: ProbeResult =
      plain === en || plain === ja
        ? { topic: 'errors.language', place: 'languages', fact: plain === en ? 'en' : 'ja' }
        : {
            topic: 'errors.language',
            place: 'languages',
            unknown: 'the message is that of neither language',
          };
    return [{ topic: 'errors.localized', place: 'languages', fact: 'localized' }, language];
  },
};

const unknownPath: Probe = {
  name: 'path/unknown',
  group: 'path',
  topics: ['errors.unknownPath'],
  clauses: [],
  async ask({ send }) {
    const answer = await send({ method: 'GET', path: '/no-such-path' });
    if (isOutage(answer)) return [outage('errors.unknownPath', 'unknown path', answer)];
    const kind = isErrorDocument(answer.json)
      ? 'json'
      : answer.json === undefined
        ? 'not JSON'
        : 'other JSON';
    const fact = answer.status === 404 ? kind : `${answer.status}`;
    return [{ topic: 'errors.unknownPath', place: 'unknown path', fact }];
  },
};

const missing = (resource: ReadableResource, query: Readonly<Record<string, unknown>>): Probe => ({
  name: `missing/${resource}`,
  group: 'missing',
  topics: ['codes.notFound'],
  clauses: ['4.3.32', '7.1.1'],
  async ask({ send, readList }) {
    const answer = await send(read({ resource, ...query }));
    // A server without its runtime answers 404 to everything.
    const list = answer.status === 404 ? await readList(resource) : undefined;
    if (list !== undefined && list.status !== 200) return [outage('codes.notFound', resource, list)];
    return readRefusal(answer, resource, 'notFound', { topic: 'codes.notFound', clause: '4.3.32' });
  },
});

export const errorProbes: readonly Probe[] = [
  auth('no key', 'none', '3.10'),
  auth('a wrong key', 'wrong', '3.11'),
  invalid('malformed JSON', { method: 'POST', path: '/chat/read', text: '{' }, '4.3.28'),
  invalid('an unknown field', read({ resource: 'tags', nonsense: 1 }), '2.2'),
  invalid('limit 51', read({ resource: 'tags', limit: 51 }), '4.3.19'),
  languages,
  unknownPath,
  missing('tags', { id: zeroId }),
  missing('links', { id: zeroId }),
  missing('friends', { accountId: zeroId, userId: zeroUser }),
];
