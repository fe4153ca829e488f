import fastify from 'fastify';
import { given, headers } from './configured-answer.mjs';
import { listening } from './report-port.mjs';

const app = fastify();
app.post('/api/v1/chat/*', (request, reply) => {
  if (typeof request.body !== 'object') reply.code(400);
  reply.headers(headers).send(given.value);
});
await app.listen({ port: 0, host: '127.0.0.1' });
listening(app.server.address().port);
