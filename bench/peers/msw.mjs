import { createServer } from '@mswjs/http-middleware';
import { HttpResponse, http } from 'msw';
import { given, headers } from './configured-answer.mjs';
import { listening } from './report-port.mjs';

const server = createServer(
  http.post('*/api/v1/chat/*', async ({ request }) => {
    const input = await request.json();
    return HttpResponse.json(given.value, { status: typeof input === 'object' ? 200 : 400, headers });
  }),
).listen(0, '127.0.0.1', () => listening(server.address().port));
