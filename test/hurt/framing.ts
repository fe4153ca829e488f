import { demoKeys } from '@orgchat/mock-server';
import type { Draw } from '../support/chance.ts';
import { type Attack, attack, malformed, refused } from './attack.ts';
import { head, me, posting, reading, smuggled } from './pieces.ts';

/* Attacks on where a request begins, where it ends, and where the next one begins. */

const chatRead = posting('/chat/read', demoKeys.read);

/** Lengths that are none, or two: the rest must not become a request. */
function length(draw: Draw): Attack {
  const { length: n } = reading;
  const lines = draw.of([
    [`Content-Length: ${n}`, 'Content-Length: 1'],
    ['Content-Length: 0', `Content-Length: ${n}`],
    [`Content-Length: ${n}, ${n}`],
    [`Content-Length: -${n}`],
    [`Content-Length: +${n}`],
    [`Content-Length: ${n}.0`],
    [`Content-Length: 0x1d`],
    ['Content-Length: 1e2'],
    ['Content-Length: 2 9'],
    ['Content-Length: '],
    ['Content-Length: NaN'],
    ['Content-Length: 18446744073709551617'],
    [`Content-Length: ${'9'.repeat(200)}`],
    ['Content-Length: \u00b2\u00b9'],
  ]);
  return attack('length', head(...chatRead, ...lines) + reading + smuggled, [malformed]);
}

/** A length and chunks, or codings that are none: whoever reads the one finds a request in the other. */
function encoding(draw: Draw): Attack {
  const body = `0\r\n\r\n${smuggled}`;
  const lines = draw.of([
    [`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', `Content-Length: ${body.length}`],
    ['Transfer-Encoding: chunked', 'Content-Length: 5'],
    ['Transfer-Encoding: chunked, identity'],
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
    ['Transfer-Encoding: identity'],
    ['Transfer-Encoding: xchunked'],
    ['Transfer-Encoding: chunkedx'],
    ['Transfer-Encoding: gzip'],
    ['Transfer-Encoding: "chunked"'],
    ['Transfer-Encoding: \x0bchunked'],
    ['Transfer-Encoding : chunked'],
    ['X: y\nTransfer-Encoding: chunked'],
    ['Transfer-Encoding:\r\n chunked', `Content-Length: ${body.length}`],
  ]);
  return attack('encoding', head(...chatRead, ...lines) + body, [malformed]);
}

/** Chunks that are none. */
function chunks(draw: Draw): Attack {
  const size = reading.length.toString(16);
  const body = draw.of([
    `zz\r\n${reading}\r\n0\r\n\r\n`,
    `-${size}\r\n${reading}\r\n0\r\n\r\n`,
    `0x${size}\r\n${reading}\r\n0\r\n\r\n`,
    ` ${size}\r\n${reading}\r\n0\r\n\r\n`,
    `fffffffffffffffff\r\n${reading}`,
    `${size}\r\n${reading}0\r\n\r\n`,
    `${size}\n${reading}\n0\n\n`,
    `${size}\r\n${reading}\r\r\n0\r\n\r\n`,
    `${size};${'x'.repeat(20_000)}\r\n${reading}\r\n0\r\n\r\n`,
    `${size};a="\r\n${reading}\r\n0\r\n\r\n`,
    `${size};\x00\r\n${reading}\r\n0\r\n\r\n`,
    `5\r\n${reading}\r\n0\r\n\r\n`,
    `\r\n\r\n`,
    `${size}\r\n${reading}\r\n0\r\nbad trailer\r\n\r\n`,
    `${size}\r\n${reading}\r\n0\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
  ]);
  return attack('chunks', head(...chatRead, 'Transfer-Encoding: chunked') + body + smuggled, [malformed]);
}

/** A body that ends before its end. */
function truncated(draw: Draw): Attack {
  const lines = draw.of([
    ['Content-Length: 29'],
    ['Content-Length: 100000000'],
    ['Transfer-Encoding: chunked'],
  ]);
  const body = draw.of(['', '{', reading.slice(0, 20), '5\r\n{"re', '5\r\n']);
  const cut = head(...chatRead, ...lines) + (body.startsWith('5') === (lines[0]?.[0] === 'T') ? body : '');
  return attack('truncated', cut, [malformed], draw.of(['end', 'end', 'reset']));
}

/** Requests that are fine, and then one that is not: the answers that are owed come first, nothing comes after. */
function pipelined(draw: Draw): Attack {
  const fine = 1 + draw.below(20);
  const bad = draw.of([
    'nonsense\r\n\r\n',
    'GET /api/v1/me HTTP/1.1\r\n\r\n',
    head(...chatRead, 'Content-Length: x'),
    `${head(...chatRead, 'Transfer-Encoding: chunked')}x`,
  ]);
  const answers = [...Array.from({ length: fine }, () => [200]), malformed];
  return attack('pipelined', me.repeat(fine) + bad + smuggled, answers, draw.of(['end', 'wait']));
}

/** A head that has no end. */
function endless(draw: Draw): Attack {
  const bytes = draw.of([
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000 + draw.below(100_000))}`,
    `GET / HTTP/1.1\r\n${'X: y\r\n'.repeat(5_000)}`,
    `GET /${'x'.repeat(17_000 + draw.below(100_000))} HTTP/1.1\r\n`,
    `${'G'.repeat(20_000)} / HTTP/1.1\r\n\r\n`,
    `GET / HTTP/1.1\r\n${'x'.repeat(20_000)}: y\r\n\r\n`,
    `${'\r\n'.repeat(20_000)}GET`,
  ]);
  return attack('endless', bytes, [malformed], draw.of(['end', 'end', 'reset']));
}

/** Lines that end as lines do not, and bytes that are in no line. */
function lines(draw: Draw): Attack {
  const bytes = draw.of([
    me.replaceAll('\r\n', '\n'),
    me.replaceAll('\r\n', '\r'),
    me.replace('\r\n', '\n'),
    me.replace('\r\n\r\n', '\r\n\n'),
    me.replace('\r\n\r\n', '\n\r\n'),
    me.replace('Host', '\x00Host'),
    me.replace('localhost', 'local\x00host'),
    me.replace('localhost', 'local\rhost'),
    me.replace('Host:', 'Host :'),
    me.replace('Host:', ' Host:'),
    me.replace('Host:', ':'),
    me.replace('Host:', 'H(o)st: x\r\nHost:'),
    me.replace('Host:', 'X: a\r\n b\r\nHost:'),
    me.replace('Host:', 'no colon\r\nHost:'),
    me.replace('Authorization', 'Auth\xffrization'),
    me.replace('Bearer', 'Bearer \x7f'),
    me.replace('Bearer', '\xc3\xa9\xff'),
  ]);
  return attack('lines', bytes, [[200, ...refused]]);
}

export const framing: readonly ((draw: Draw) => Attack)[] = [
  length,
  encoding,
  chunks,
  truncated,
  pipelined,
  endless,
  lines,
];
