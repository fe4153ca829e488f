import { createServer } from 'node:http';

/* The least a server can do: read the body, parse it, answer bytes it was given (as the first line on stdin). */
let input = '';
process.stdin.on('data', (chunk) => {
  input += chunk;
  if (!input.endsWith('\n')) return;
  const { answer } = JSON.parse(input) as { answer: string };
  const length = Buffer.byteLength(answer);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (part: Buffer) => chunks.push(part));
    request.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length });
      response.end(answer);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log((server.address() as { port: number }).port));
});
