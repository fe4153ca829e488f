import { type CodeMeaning, codeMeanings } from '@orgchat/spec';
import { limits } from '@orgchat/spec/limits';

/** What was learned about a topic: a pointer, a kind, a code, a count or a list of such. Never a value of a record. */
export type Fact = string | number | boolean | null | readonly string[];

/** Something that a server may do in another way. */
export interface Topic {
  /** What is asked, as half of a sentence. */
  readonly title: string;
  /** The decision (D42) or clause (2.2) that says it. */
  readonly basis: string;
  /** What it says. */
  readonly decided: Fact;
  /** The key of the description of a server that says otherwise; undefined if none can. */
  readonly key?: string;
  /** What another answer means for the SDK, the command and the mock. */
  readonly means: string;
}

const describable =
  'without a description, calls that need it are refused before a change is sent; the mock answers like the server with the description';
const codeMeans =
  'errors of this code have no meaning, so programs and exit codes cannot go by it, until a description has the code';
const readToTheEnd =
  'programs do not rely on it, and read lists to their end; the mock answers like the server with the description';
const mockOnly = 'nothing for programs; the mock answers like the server with the description';
const notDescribable = 'the mock answers otherwise, and no description can say it';

const code = (meaning: CodeMeaning, basis = 'D76'): Topic => ({
  title: `the code of ${codeMeanings[meaning].phrase}`,
  basis,
  decided: codeMeanings[meaning].code,
  key: `codes.${meaning}`,
  means: codeMeans,
});

const shape = (key: string, title: string, basis: string, decided: Fact, means = describable): Topic => ({
  title,
  basis,
  decided,
  key: `shapes.${key}`,
  means,
});

const other = (title: string, basis: string, decided: Fact, means = notDescribable): Topic => ({
  title,
  basis,
  decided,
  means,
});

const behavior = (name: string, title: string, basis: string, decided: Fact): Topic => ({
  title,
  basis,
  decided,
  key: `behavior.${name}`,
  means: mockOnly,
});

/** Every topic that a probe asks about, by its name. */
export const topics = {
  'account.answer': other('the account of the key', '4.1.3', 'as described'),
  'limits.perMinute': {
    title: 'requests per minute and key',
    basis: '8.1',
    decided: limits.requestsPerMinute,
    key: 'limits.perMinute',
    means: 'with a description, the SDK paces requests by it, and the mock limits them',
  },
  'behavior.requestIdOn2xx': behavior(
    'requestIdOn2xx',
    'X-Request-Id with answers to what succeeded',
    'D78',
    true,
  ),
  'behavior.dates': behavior('dates', 'milliseconds in date-times', 'D20', 'ms'),
  'auth.refused': other('requests without a valid key', '3.10', 'refused'),
  'codes.unauthorized': code('unauthorized'),
  'invalid.refused': other('invalid input', '4.3.28', 'refused'),
  'codes.invalidInput': code('invalidInput'),
  'errors.localized': other(
    'the language of messages',
    '7.1.3',
    'localized',
    'people read messages in one language',
  ),
  'errors.language': other('the language of messages without Accept-Language', 'D13', 'en'),
  'errors.unknownPath': other('the answer to an unknown path', 'D1', 'json'),
  'codes.notFound': code('notFound'),
  'shapes.list.records': shape('list.records', 'where the rows of a list are', 'D42', '/records'),
  'shapes.list.total': shape(
    'list.total',
    'where the number of all records is',
    'D42',
    '/total',
    readToTheEnd,
  ),
  'shapes.list.limited': shape(
    'list.limited',
    'where it says whether more records exist',
    'D42',
    '/limited',
    readToTheEnd,
  ),
  'shapes.list.order': shape(
    'list.order',
    'which record of a list comes first',
    'D48',
    'newest',
    readToTheEnd,
  ),
  'lists.total': {
    title: 'what total counts',
    basis: 'D45',
    decided: 'all records',
    means: 'programs do not rely on it; with total: null in a description, they do not read it',
  },
  'lists.limited': {
    title: 'what limited says',
    basis: 'D46',
    decided: 'more exist',
    means: 'programs do not rely on it; with limited: null in a description, they do not read it',
  },
  'lists.offset': other('what an offset counts', 'D47', 'records'),
  'limits.pageSize': {
    title: 'the most records of a page',
    basis: '8.3',
    decided: limits.pageSize,
    key: 'limits.pageSize',
    means:
      'lists take more requests; with a description, limit is never sent higher, and the mock has such pages',
  },
  'shapes.one': shape('one', 'where a record is that was read by its id', 'D43', '/record'),
  'shapes.record.revision': shape('record.revision', 'where the revision is', 'D44', '/revision'),
  'shapes.record.label': shape('record.label', 'where the label is', 'D44', '/label'),
  'shapes.record.data': shape('record.data', 'which object has the data of a record', 'D44', ''),
  'shapes.record.rename': shape('record.rename', 'fields with another name or place', 'D44', []),
  'records.fields': other(
    'promised fields that records lack',
    'D44',
    [],
    'records cannot be used: a promised field is missing',
  ),
  'shapes.row.guards': shape('row.guards', 'revision and label in rows of lists', 'D44', true),
  'shapes.row.data': shape('row.data', 'data in rows of lists', 'D44', true),
  'write.forbidden': other('changes with a read key', '3.8', 'refused'),
  'codes.forbidden': code('forbidden', '7.1.4'),
  'limits.minute': other('requests beyond the limit per minute', '8.1', 'refused'),
  'codes.rateLimited': code('rateLimited'),
  'limits.retryAfter': {
    title: 'how Retry-After is written',
    basis: 'D79',
    decided: 'seconds',
    key: 'limits.retryAfter',
    means: mockOnly,
  },
  'studio.answers': other('the answers of Studio', '4.5.13', 'as described'),
  'write.applied': other('a valid change with a new operationId', '6.4', 'applied'),
  'write.replay': other('a change that is sent again with its operationId', '6.6', 'applied once'),
  'write.replayed': other(
    'the result of a change that is sent again, whose record was deleted since',
    'D70',
    'the stored one',
  ),
  'write.unknownField': other(
    'an unknown field in the data of a change',
    'D10',
    'refused',
    'a misspelled field passes without an error, and the mock refuses it',
  ),
  'write.conflict': other(
    'another input with the operationId of an applied change',
    'D69',
    'refused',
    'a mistake in a program passes as success',
  ),
  'codes.inputConflict': code('inputConflict'),
  'write.guard': other('a change with a revision that is not current', '4.4.3', 'refused'),
  'write.label': other(
    'a change with a label that is not current',
    'D56',
    'refused',
    'nothing for programs, which send revision and label together; the mock refuses it',
  ),
  'write.labelText': other(
    'which text the label is',
    'D54',
    'the name',
    'labels of commands and searches find no record',
  ),
  'write.revision': other(
    'the revision after an update that changes nothing, or changes back',
    'D55',
    'a new one',
    'a program may overwrite what others changed in the meantime and changed back',
  ),
  'codes.staleRevision': code('staleRevision'),
  'shapes.result.create': shape(
    'result.create',
    'where the record is in the result of a creation',
    'D65',
    '',
  ),
  'shapes.result.update': shape('result.update', 'where the record is in the result of an update', 'D65', ''),
  'shapes.result.delete': shape(
    'result.delete',
    'what the result of a deletion has',
    'D65',
    ['id', 'deleted'],
    mockOnly,
  ),
  'behavior.replayCompares': behavior(
    'replayCompares',
    'what of two changes is the same input',
    'D69',
    'input',
  ),
  'behavior.refusedIdIsFree': behavior(
    'refusedIdIsFree',
    'whether the operationId of a refused change may be used again',
    'D71',
    true,
  ),
  'behavior.duplicateNames': behavior('duplicateNames', 'a name that another record has', 'D23', 'accepted'),
  'behavior.unknownReference': behavior(
    'unknownReference',
    'a reference to a record that does not exist',
    'D62',
    'not found',
  ),
  'behavior.onDelete': behavior('onDelete', 'references to a record that is deleted', 'D63', 'keep'),
  'behavior.trims': behavior(
    'trims',
    'whether texts are stored without white space around them',
    'D16',
    true,
  ),
  'studio.cursor': other('a cursor that was never issued', 'D89', 'refused'),
} as const satisfies Readonly<Record<string, Topic>>;

export type TopicName = keyof typeof topics;
export const topicNames = Object.keys(topics) as TopicName[];
export const getTopic = (name: TopicName): Topic => topics[name];
