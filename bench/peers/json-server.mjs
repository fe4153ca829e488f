import jsonServer from 'json-server';
import { listening } from './report-port.mjs';

/*
 * json-server serves records, not this API. After it parsed the body, the request is translated to its own routes and
 * records. It keeps them in memory and does not log, which is its fastest mode.
 */

const record = (n) => ({ id: `record-${n}`, name: `Record ${n}`, color: 'pink' });
const records = Array.from({ length: 100 }, (_, n) => record(n));
const app = jsonServer.create();
app.use(jsonServer.defaults({ logger: false, static: '.' }));
app.use(jsonServer.bodyParser);
app.use((request, _response, next) => {
  const { id, change } = request.body;
  if (change !== undefined) {
    request.url = '/records';
    request.body = change.data;
  } else {
    request.method = 'GET';
    request.url = id === undefined ? '/records?_limit=50' : '/records/record-7';
    request.query = id === undefined ? { _limit: '50' } : {};
  }
  next();
});
app.use(jsonServer.router({ records }));
const server = app.listen(0, '127.0.0.1', () => listening(server.address().port));
