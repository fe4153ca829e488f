import { demoKeys } from '@orgchat/mock-server';
import type { Random } from '../../test-support/random.ts';
import { type MalformedRequest, malformedRequest } from './malformed-request.ts';
import { post, reading } from './valid-requests.ts';

/* Valid HTTP requests with bodies that are hard to parse. */

const bodyLimit = 16 * 1024 * 1024;
const operationId = '66666666-6666-4666-8666-666666666667';
const invalid = [[400]];

/** A valid change, into which a test inserts invalid data. */
const creation = (data: string, more = ''): string =>
  `{"operationId":"${operationId}","change":{"action":"create-tags","data":${data}}${more}}`;

/** Invalid UTF-8 and invalid JSON. */
function unreadable(random: Random): MalformedRequest {
  const inside = random.pick<string | Buffer>([
    Buffer.from([0xff]),
    Buffer.from([0xc3]),
    Buffer.from([0xc0, 0xaf]),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from([0xf4, 0x90, 0x80, 0x80]),
    Buffer.from([0xf0, 0x9f, 0x98]),
    Buffer.from([0x80]),
    random.bytes(1 + random.below(500)),
    Buffer.from('{"name":"x"}', 'utf16le'),
    '\u0000',
    '\n',
    '\\u12',
    '\\x41',
    '\\',
  ]);
  const name = Buffer.concat([
    Buffer.from('{"name":"'),
    Buffer.from(inside),
    Buffer.from('","color":"green"'),
  ]);
  const [before, after] = creation('@').split('@') as [string, string];
  // Two braces are missing, so the body is never valid JSON.
  const body = Buffer.concat([Buffer.from(before), name, Buffer.from(after.slice(2))]);
  return malformedRequest('unreadable', post('/chat/changes', demoKeys.write, body), invalid);
}

/** Valid JSON of the wrong shape, and near misses of JSON. */
function odd(random: Random): MalformedRequest {
  const many = 1_000 + random.below(100_000);
  const body = random.pick([
    '',
    '\ufeff',
    ' '.repeat(many),
    'null',
    'true',
    '1e400',
    '-0',
    'NaN',
    '"text"',
    '{} {}',
    '{"a":1,}',
    "{'a':1}",
    '/* */{}',
    '['.repeat(many),
    `${'['.repeat(many)}${']'.repeat(many)}`,
    '{"a":'.repeat(many),
    `${'{"a":'.repeat(many)}1${'}'.repeat(many)}`,
    `{"resource":${'['.repeat(many)}${']'.repeat(many)}}`,
    `{"resource":"tags","${'x'.repeat(many)}":1}`,
    `{"resource":"tags","id":"${'x'.repeat(many)}"}`,
    `{"resource":"tags","limit":1e400}`,
    `{"resource":"tags","limit":${'9'.repeat(many)}}`,
    `{"resource":"tags","limit":0.${'0'.repeat(many)}1}`,
    `{"resource":"tags","offset":-0.5}`,
    '{"resource":"__proto__"}',
    '{"resource":"constructor"}',
    '{"resource":"toString"}',
    '{"resource":{"toString":1}}',
    '{"__proto__":{"resource":"tags"}}',
    '{"resource":"tags","__proto__":null}',
    '{"resource":"tags","constructor":{"prototype":{}}}',
    `{${Array.from({ length: 5_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`,
    `{"resource":"${'\ud83d\ude00'.repeat(5_000)}"}`,
  ]);
  return malformedRequest(
    'odd',
    post('/chat/read', demoKeys.read, body),
    invalid,
    random.pick(['end', 'wait']),
  );
}

/** Valid changes with one extra field, such as `__proto__`. */
function polluting(random: Random): MalformedRequest {
  const name = random.pick([
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '',
    '\\u0000',
  ]);
  const value = random.pick(['{"polluted":true}', 'null', '"x"', '[]', '{"toString":null}']);
  const field = `,"${name}":${value}`;
  const tag = '"name":"Polluted","color":"green"';
  const body = random.pick([
    creation(`{${tag}${field}}`),
    creation(`{${tag}}`, field),
    creation(`{${tag}}`).replace('"data"', `${field.slice(1)},"data"`),
    creation(`{"name":"Polluted","color":"green"}`).replace('"create-tags"', '"__proto__"'),
    creation(`{"name":"Polluted","__proto__":{"color":"green"}}`),
    creation(`{"name":{"length":5},"color":"green"}`),
    creation(`{${tag}}`).replace(operationId, '__proto__'),
    creation(`{${tag},"name":5}`),
  ]);
  return malformedRequest('polluting', post('/chat/changes', demoKeys.write, body), invalid);
}

/** Escapes of what no text has (D14). */
function notText(random: Random): MalformedRequest {
  const part = random.pick(['\\ud800', '\\udc00\\ud800', '\\u0000']);
  const body = `{"resource":"friends","search":"${part}"}`;
  return malformedRequest('not text', post('/chat/read', demoKeys.read, body), invalid);
}

/** Unusual but valid requests, which the server answers. */
function strange(random: Random): MalformedRequest {
  const body = random.pick([
    `\ufeff${reading}`,
    ` \t\r\n${reading}\n `,
    '{"resource":"friends","resource":"tags"}',
    '{"resource":"tags","limit":51,"limit":1}',
    '{"resource":"tags","limit":1.0,"offset":1e3}',
    '{"\\u0072esource":"tags"}',
    '{"resource":"friends","search":"(((((("}',
    `${' '.repeat(100_000)}${reading}`,
  ]);
  return malformedRequest(
    'strange',
    post('/chat/read', demoKeys.read, body),
    [[200]],
    random.pick(['end', 'wait']),
  );
}

/** Bodies above the size limit. */
function oversized(random: Random): MalformedRequest {
  // Bodies above the limit are rare, because they are slow. The others are long enough to arrive in several chunks.
  const length = random.percent(3) ? bodyLimit + 1 : 1_000_000;
  const body = Buffer.alloc(length, random.pick(['x', ' ', '[', '\u0000', '\xff']));
  return malformedRequest(
    'oversized',
    post('/chat/read', demoKeys.read, body),
    invalid,
    random.pick(['end', 'wait', 'reset']),
  );
}

/** Long values that the request log could store from a rejected request. */
function memorable(random: Random): MalformedRequest {
  const long = 'x'.repeat(200_000);
  const body = random.pick([
    `{"operationId":"${long}","change":{"action":"create-tags"}}`,
    `{"operationId":"${operationId}","change":{"action":"${long}"}}`,
    `{"operationId":"${operationId}","change":{"action":"delete-configuration","resource":"${long}"}}`,
  ]);
  return malformedRequest('memorable', post('/chat/changes', demoKeys.write, body), invalid);
}

export const bodies: readonly ((random: Random) => MalformedRequest)[] = [
  unreadable,
  odd,
  odd,
  polluting,
  notText,
  strange,
  oversized,
  memorable,
];
