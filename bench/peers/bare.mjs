import { createServer } from 'node:http';
import { given, headers } from './configured-answer.mjs';
import { listening } from './report-port.mjs';

/* The minimum of a server: read the body, parse it, answer. */
const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const input = JSON.parse(Buffer.concat(chunks).toString());
    const status = typeof input === 'object' ? 200 : 400;
    response.writeHead(status, {
      ...headers,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(given.text),
    });
    response.end(given.text);
  });
});
server.listen(0, '127.0.0.1', () => listening(server.address().port));
