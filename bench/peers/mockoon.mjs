import { createServer } from 'node:http';
import { BuildEnvironment, BuildHTTPRoute } from '@mockoon/commons';
import { MockoonServer } from '@mockoon/commons-server';
import { answerParent } from '../support/child-process.ts';
import { listening } from './report-port.mjs';

/* Its answers are in its configuration, so a new answer needs a new server on the same port. */

const probe = createServer().listen(0, '127.0.0.1', () => {
  const { port } = probe.address();
  probe.close(() => start('{}').then(() => listening(port)));
  let server;
  const start = (body) =>
    new Promise((resolve, reject) => {
      const routes = ['read', 'changes'].map((path) => {
        const route = BuildHTTPRoute(true, { endpoint: `chat/${path}`, body });
        return { ...route, method: 'post' };
      });
      const rootChildren = routes.map(({ uuid }) => ({ type: 'route', uuid }));
      const environment = { ...BuildEnvironment({ hasDefaultRoute: false, port }), routes, rootChildren };
      server = new MockoonServer({ ...environment, hostname: '127.0.0.1', endpointPrefix: 'api/v1' }, {});
      server.once('started', resolve);
      server.once('error', reject);
      server.start();
    });
  const stop = () =>
    new Promise((resolve) => {
      if (server === undefined) return resolve();
      server.once('stopped', resolve);
      server.stop();
    });
  answerParent({ answer: (text) => stop().then(() => start(text)) });
});
