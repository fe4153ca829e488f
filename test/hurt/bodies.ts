import { demoKeys } from '@orgchat/mock-server';
import type { Draw } from '../support/chance.ts';
import { type Attack, attack } from './attack.ts';
import { post, reading } from './pieces.ts';

/* Attacks within requests that are HTTP: on whoever reads their bodies. */

const bodyLimit = 16 * 1024 * 1024;
const operationId = '66666666-6666-4666-8666-666666666667';
const invalid = [[400]];

/** A creation that would be applied, but for what is put in. */
const creation = (data: string, more = ''): string =>
  `{"operationId":"${operationId}","change":{"action":"create-tags","data":${data}}${more}}`;

/** Bytes that are no text, and texts that are no JSON. */
function unreadable(draw: Draw): Attack {
  const inside = draw.of<string | Buffer>([
    Buffer.from([0xff]),
    Buffer.from([0xc3]),
    Buffer.from([0xc0, 0xaf]),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from([0xf4, 0x90, 0x80, 0x80]),
    Buffer.from([0xf0, 0x9f, 0x98]),
    Buffer.from([0x80]),
    draw.bytes(1 + draw.below(500)),
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
  // Two braces are wanting, so it is no JSON whatever chance put in.
  const body = Buffer.concat([Buffer.from(before), name, Buffer.from(after.slice(2))]);
  return attack('unreadable', post('/chat/changes', demoKeys.write, body), invalid);
}

/** JSON that no one means. */
function odd(draw: Draw): Attack {
  const many = 1_000 + draw.below(100_000);
  const body = draw.of([
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
  return attack('odd', post('/chat/read', demoKeys.read, body), invalid, draw.of(['end', 'wait']));
}

/** Changes that would be applied, but for one field that has no place there. */
function polluting(draw: Draw): Attack {
  const name = draw.of([
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '',
    '\\u0000',
  ]);
  const value = draw.of(['{"polluted":true}', 'null', '"x"', '[]', '{"toString":null}']);
  const field = `,"${name}":${value}`;
  const tag = '"name":"Polluted","color":"green"';
  const body = draw.of([
    creation(`{${tag}${field}}`),
    creation(`{${tag}}`, field),
    creation(`{${tag}}`).replace('"data"', `${field.slice(1)},"data"`),
    creation(`{"name":"Polluted","color":"green"}`).replace('"create-tags"', '"__proto__"'),
    creation(`{"name":"Polluted","__proto__":{"color":"green"}}`),
    creation(`{"name":{"length":5},"color":"green"}`),
    creation(`{${tag}}`).replace(operationId, '__proto__'),
    creation(`{${tag},"name":5}`),
  ]);
  return attack('polluting', post('/chat/changes', demoKeys.write, body), invalid);
}

/** Fine but strange, and so answered. */
function strange(draw: Draw): Attack {
  const body = draw.of([
    `\ufeff${reading}`,
    ` \t\r\n${reading}\n `,
    '{"resource":"friends","resource":"tags"}',
    '{"resource":"tags","limit":51,"limit":1}',
    '{"resource":"tags","limit":1.0,"offset":1e3}',
    '{"\\u0072esource":"tags"}',
    '{"resource":"friends","search":"\\ud800"}',
    '{"resource":"friends","search":"\\udc00\\ud800"}',
    '{"resource":"friends","search":"\\u0000"}',
    '{"resource":"friends","search":"(((((("}',
    `${' '.repeat(100_000)}${reading}`,
  ]);
  return attack('strange', post('/chat/read', demoKeys.read, body), [[200]], draw.of(['end', 'wait']));
}

/** More than is read. */
function oversized(draw: Draw): Attack {
  // Few of these, for they are many times as long as the rest; the others are long enough to come in pieces.
  const length = draw.percent(3) ? bodyLimit + 1 : 1_000_000;
  const body = Buffer.alloc(length, draw.of(['x', ' ', '[', '\u0000', '\xff']));
  return attack(
    'oversized',
    post('/chat/read', demoKeys.read, body),
    invalid,
    draw.of(['end', 'wait', 'reset']),
  );
}

/** What the journal keeps of a request that was refused. */
function memorable(draw: Draw): Attack {
  const long = 'x'.repeat(200_000);
  const body = draw.of([
    `{"operationId":"${long}","change":{"action":"create-tags"}}`,
    `{"operationId":"${operationId}","change":{"action":"${long}"}}`,
    `{"operationId":"${operationId}","change":{"action":"delete-configuration","resource":"${long}"}}`,
  ]);
  return attack('memorable', post('/chat/changes', demoKeys.write, body), invalid);
}

export const bodies: readonly ((draw: Draw) => Attack)[] = [
  unreadable,
  odd,
  odd,
  polluting,
  strange,
  oversized,
  memorable,
];
