import { demoKeys } from '@orgchat/mock-server';
import type { Random } from '../../test-support/random.ts';
import {
  type MalformedRequest,
  malformedRequest,
  malformedStatuses,
  refusedStatuses,
} from './malformed-request.ts';
import { head, me, posting, reading, smuggled } from './valid-requests.ts';

/* Requests with an invalid length or chunked encoding, which could hide a second request. */

const chatRead = posting('/chat/read', demoKeys.read);

/** Invalid or duplicate lengths: the rest must not become a request. */
function length(random: Random): MalformedRequest {
  const { length: n } = reading;
  const lines = random.pick([
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
  return malformedRequest('length', head(...chatRead, ...lines) + reading + smuggled, [malformedStatuses]);
}

/** Length and chunks together, or unknown codings: the two readings disagree about where the request ends. */
function encoding(random: Random): MalformedRequest {
  const body = `0\r\n\r\n${smuggled}`;
  const lines = random.pick([
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
  return malformedRequest('encoding', head(...chatRead, ...lines) + body, [malformedStatuses]);
}

/** Invalid chunks. */
function chunks(random: Random): MalformedRequest {
  const size = reading.length.toString(16);
  const body = random.pick([
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
  return malformedRequest('chunks', head(...chatRead, 'Transfer-Encoding: chunked') + body + smuggled, [
    malformedStatuses,
  ]);
}

/** A body that is shorter than announced. */
function truncated(random: Random): MalformedRequest {
  const lines = random.pick([
    ['Content-Length: 29'],
    ['Content-Length: 100000000'],
    ['Transfer-Encoding: chunked'],
  ]);
  const body = random.pick(['', '{', reading.slice(0, 20), '5\r\n{"re', '5\r\n']);
  const cut = head(...chatRead, ...lines) + (body.startsWith('5') === (lines[0]?.[0] === 'T') ? body : '');
  return malformedRequest('truncated', cut, [malformedStatuses], random.pick(['end', 'end', 'reset']));
}

/** Valid requests and then an invalid one: all responses arrive in order, nothing after the error. */
function pipelined(random: Random): MalformedRequest {
  const fine = 1 + random.below(20);
  const bad = random.pick([
    'nonsense\r\n\r\n',
    'GET /api/v1/me HTTP/1.1\r\n\r\n',
    head(...chatRead, 'Content-Length: x'),
    `${head(...chatRead, 'Transfer-Encoding: chunked')}x`,
  ]);
  const answers = [...Array.from({ length: fine }, () => [200]), malformedStatuses];
  return malformedRequest(
    'pipelined',
    me.repeat(fine) + bad + smuggled,
    answers,
    random.pick(['end', 'wait']),
  );
}

/** A request head that is too long. */
function endless(random: Random): MalformedRequest {
  const bytes = random.pick([
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000 + random.below(100_000))}`,
    `GET / HTTP/1.1\r\n${'X: y\r\n'.repeat(5_000)}`,
    `GET /${'x'.repeat(17_000 + random.below(100_000))} HTTP/1.1\r\n`,
    `${'G'.repeat(20_000)} / HTTP/1.1\r\n\r\n`,
    `GET / HTTP/1.1\r\n${'x'.repeat(20_000)}: y\r\n\r\n`,
    `${'\r\n'.repeat(20_000)}GET`,
  ]);
  return malformedRequest('endless', bytes, [malformedStatuses], random.pick(['end', 'end', 'reset']));
}

/** Wrong line endings and invalid characters in header lines. */
function lines(random: Random): MalformedRequest {
  const bytes = random.pick([
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
  return malformedRequest('lines', bytes, [[200, ...refusedStatuses]]);
}

export const framing: readonly ((random: Random) => MalformedRequest)[] = [
  length,
  encoding,
  chunks,
  truncated,
  pipelined,
  endless,
  lines,
];
