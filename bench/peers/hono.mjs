import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { given, headers } from './configured-answer.mjs';
import { listening } from './report-port.mjs';

const app = new Hono();
app.post('/api/v1/chat/*', async (context) => {
  const input = await context.req.json();
  return context.json(given.value, typeof input === 'object' ? 200 : 400, headers);
});
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => listening(port));
