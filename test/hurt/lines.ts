import type { Draw } from '../support/chance.ts';
import { type Attack, attack, malformed, refused } from './attack.ts';
import { head, me, smuggled } from './pieces.ts';

/* Attacks on the first line and on who is asked. */

/** First lines that are none. */
function requestLine(draw: Draw): Attack {
  const line = draw.of([
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
    `${draw.bytes(1 + draw.below(30)).toString('hex')} / HTTP/1.1`,
  ]);
  return attack(
    'request line',
    `${line}\r\nHost: localhost\r\n\r\n${smuggled}`,
    [malformed],
    draw.of(['end', 'wait']),
  );
}

/** First lines that a lenient reader takes for one: what they ask for is not there. */
function almost(draw: Draw): Attack {
  const line = draw.of([
    'GET  /nowhere HTTP/1.1',
    'SOURCE /nowhere ICE/1.0',
    'DESCRIBE rtsp://localhost/nowhere RTSP/1.0',
    'QUERY /nowhere HTTP/1.1',
    'GET /nowhere HTTP/1.0',
  ]);
  return attack('almost', `\r\n${line}\r\nHost: localhost\r\n\r\n`, [refused], draw.of(['end', 'wait']));
}

/** Bytes by chance. */
function noise(draw: Draw): Attack {
  const bytes = draw.bytes(1 + draw.below(3_000));
  return attack('noise', Buffer.concat([bytes, Buffer.from('\r\n\r\n')]), [malformed]);
}

/** What is spoken elsewhere. */
function otherProtocol(draw: Draw): Attack {
  const bytes = draw.of([
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
  return attack('protocol', bytes, [malformed]);
}

/** A request that was fine until bytes of it were changed. It has a key that can only read. */
function mutated(draw: Draw): Attack {
  let bytes = Buffer.from(me);
  for (let i = 0; i <= draw.below(4); i++) {
    const at = draw.below(bytes.length);
    const piece = draw.of([
      Buffer.alloc(0),
      draw.bytes(1),
      Buffer.from('\r\n'),
      Buffer.from(' '),
      Buffer.from(':'),
    ]);
    bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + draw.of([0, 1, 1, 5]))]);
  }
  return attack('mutated', bytes, [[200, ...refused], malformed], draw.of(['end', 'end', 'reset']), 1);
}

/** Targets that name nothing. */
function target(draw: Draw): Attack {
  const { of } = draw;
  const chosen = of.call(draw, [
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
  const method = draw.of([
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
  return attack('target', head(`${method} ${chosen} HTTP/1.1`, 'Host: localhost'), [[200, ...refused]]);
}

/** Hosts that are none, and calls of the control API by a web page, which may change nothing. */
function host(draw: Draw): Attack {
  const path = draw.of(['/_mock/reset', '/_mock/sandboxes', '/_mock/faults']);
  const lines = draw.of([
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
  return attack('host', request, [refused], draw.of(['end', 'wait']));
}

export const lines: readonly ((draw: Draw) => Attack)[] = [
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
