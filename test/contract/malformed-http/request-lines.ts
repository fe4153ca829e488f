import type { Random } from '../../test-support/random.ts';
import {
  type MalformedRequest,
  malformedRequest,
  malformedStatuses,
  refusedStatuses,
} from './malformed-request.ts';
import { head, me, smuggled } from './valid-requests.ts';

/* Invalid request lines, targets and hosts. */

/** Invalid request lines. */
function requestLine(random: Random): MalformedRequest {
  const line = random.pick([
    'GET',
    'GET /',
    'GET / HTTP/1.1 more',
    'GET / HTTP/1.1\t',
    ' GET / HTTP/1.1',
    '\tGET / HTTP/1.1',
    'GET / HTTP/1',
    'GET / HTTP/1.',
    'GET / HTTP/.1',
    'GET / HTTP/1.1.1',
    'GET / HTTP/2.0',
    'GET / HTTP/9.9',
    'GET / HTTP/4294967297.1',
    'GET / http/1.1',
    'GET / HTTQ/1.1',
    'GET / ICE/1.0',
    'get / HTTP/1.1',
    'G\x00T / HTTP/1.1',
    'G\xc9T / HTTP/1.1',
    '/ HTTP/1.1',
    ' / HTTP/1.1',
    'HTTP/1.1 200 OK',
    `${random.bytes(1 + random.below(30)).toString('hex')} / HTTP/1.1`,
  ]);
  return malformedRequest(
    'request line',
    `${line}\r\nHost: localhost\r\n\r\n${smuggled}`,
    [malformedStatuses],
    random.pick(['end', 'wait']),
  );
}

/** Request lines that a lenient parser accepts. Their paths do not exist. */
function almost(random: Random): MalformedRequest {
  const line = random.pick([
    'GET  /nowhere HTTP/1.1',
    'SOURCE /nowhere ICE/1.0',
    'DESCRIBE rtsp://localhost/nowhere RTSP/1.0',
    'QUERY /nowhere HTTP/1.1',
    'GET /nowhere HTTP/1.0',
  ]);
  return malformedRequest(
    'almost',
    `\r\n${line}\r\nHost: localhost\r\n\r\n`,
    [refusedStatuses],
    random.pick(['end', 'wait']),
  );
}

/** Random bytes. */
function noise(random: Random): MalformedRequest {
  const bytes = random.bytes(1 + random.below(3_000));
  return malformedRequest('noise', Buffer.concat([bytes, Buffer.from('\r\n\r\n')]), [malformedStatuses]);
}

/** Other protocols. */
function otherProtocol(random: Random): MalformedRequest {
  const bytes = random.pick([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    Buffer.from('160301020001000001fc0303', 'hex'),
    Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'),
    Buffer.from('050100', 'hex'),
    Buffer.from('*1\r\n$4\r\nPING\r\n'),
    Buffer.from('PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n'),
    Buffer.from('EHLO localhost\r\n'),
    Buffer.alloc(1_000),
    Buffer.from('\xef\xbb\xbfGET / HTTP/1.1\r\n\r\n', 'latin1'),
  ]);
  return malformedRequest('protocol', bytes, [malformedStatuses]);
}

/** A valid request with some bytes changed. Its key can only read. */
function mutated(random: Random): MalformedRequest {
  let bytes = Buffer.from(me);
  for (let i = 0; i <= random.below(4); i++) {
    const at = random.below(bytes.length);
    const piece = random.pick([
      Buffer.alloc(0),
      random.bytes(1),
      Buffer.from('\r\n'),
      Buffer.from(' '),
      Buffer.from(':'),
    ]);
    bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + random.pick([0, 1, 1, 5]))]);
  }
  return malformedRequest(
    'mutated',
    bytes,
    [[200, ...refusedStatuses], malformedStatuses],
    random.pick(['end', 'end', 'reset']),
    1,
  );
}

/** Request targets that do not exist. */
function target(random: Random): MalformedRequest {
  const { pick } = random;
  const chosen = pick.call(random, [
    '*',
    '//',
    '///api/v1/me',
    '/api/v1/me/../me',
    '/api/v1/%6de',
    '/%',
    '/%zz',
    '/%00',
    '/%c0%ae%c0%ae/',
    '/api/v1/sites/%ff/keywords',
    '/api/v1/sites/%/keywords',
    '/api/v1/sites//keywords',
    '/_sandbox/',
    '/_sandbox/../_mock/state',
    '/_sandbox/__proto__/api/v1/me',
    '/_sandbox/constructor/_mock/reset',
    '/_mock/__proto__',
    '/api/v1/__proto__',
    '/api/v1/constructor',
    '?',
    '/?'.repeat(5_000),
    `/${'x'.repeat(15_000)}`,
    `/${'%41'.repeat(5_000)}`,
    `/api/v1/sites/${'%F0%9F%98%80'.repeat(1_000)}/keywords`,
    '/a b',
    '/#',
    '\\api\\v1\\me',
    '/\x7f',
    '/\xff\xfe',
    '/\xc3\xa9',
    'http://',
    'http://[',
    'http://[::1/api/v1/me',
    'http://localhost:99999/api/v1/me',
    'http://a@b:c@d/api/v1/nowhere',
    'ftp://localhost/api/v1/nowhere',
    'javascript:alert(1)',
    'localhost:80',
    'localhost',
  ]) as string;
  const method = random.pick([
    'GET',
    'POST',
    'PUT',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'CONNECT',
    'PROPFIND',
    'M-SEARCH',
  ]);
  return malformedRequest('target', head(`${method} ${chosen} HTTP/1.1`, 'Host: localhost'), [
    [200, ...refusedStatuses],
  ]);
}

/** Invalid hosts, and control API calls from a web page, which must change nothing. */
function host(random: Random): MalformedRequest {
  const path = random.pick(['/_mock/reset', '/_mock/sandboxes', '/_mock/faults']);
  const lines = random.pick([
    [],
    ['Host: localhost', 'Host: localhost'],
    ['Host: localhost', 'host: evil.example'],
    ['Host: evil.example'],
    ['Host: localhost.evil.example'],
    ['Host: 127.0.0.1@evil.example'],
    ['Host: evil.example:80#localhost'],
    ['Host: '],
    ['Host: localhost evil.example'],
    ['Host: localhost', 'Origin: https://evil.example'],
    ['Host: localhost', 'Origin: null'],
    ['Host: localhost', 'Origin: http://localhost.evil.example'],
  ]);
  const body = '{"effect":"drop-request"}';
  const request = head(`POST ${path} HTTP/1.1`, ...lines, `Content-Length: ${body.length}`) + body;
  return malformedRequest('host', request, [refusedStatuses], random.pick(['end', 'wait']));
}

export const lines: readonly ((random: Random) => MalformedRequest)[] = [
  requestLine,
  almost,
  noise,
  otherProtocol,
  mutated,
  mutated,
  target,
  target,
  host,
];
