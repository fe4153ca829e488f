import { Agent, type ClientRequestArgs, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as secured } from 'node:tls';

type Connected = (error: Error | null, socket?: Duplex) => void;
type Destination = ClientRequestArgs & ConnectionOptions;

/**
 * Connections through a proxy, by CONNECT for http as well as for https, so that what is sent is not the proxy's to
 * read or keep. Certificates are Node's matter: NODE_EXTRA_CA_CERTS works as it is.
 */
export function tunnelAgent(proxy: URL, protocol: string): Agent {
  const isSecure = protocol === 'https:';
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  return Object.assign(agent, {
    createConnection(destination: Destination, connected: Connected): undefined {
      dig(proxy, destination, (error, socket) => {
        if (socket === undefined || !isSecure) connected(error, socket);
        else connected(null, secured({ ...destination, socket }));
      });
    },
  });
}

/** Has the proxy connect to a host. Whatever fails here, that host has seen nothing of the request. */
function dig(proxy: URL, { host, port }: Destination, connected: Connected): void {
  const place = `${host?.includes(':') ? `[${host}]` : host}:${port}`;
  const fail = (code: string, why: string, cause?: Error): void => {
    const error = new Error(`The proxy ${proxy.host}: ${why}`, { cause });
    connected(Object.assign(error, { code, syscall: 'connect' }));
  };
  const send = proxy.protocol === 'https:' ? secureRequest : plainRequest;
  const asking = send({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port,
    method: 'CONNECT',
    path: place,
    headers: { Host: place, ...authorization(proxy) },
    agent: false,
  });
  asking.once('connect', ({ statusCode = 0 }, socket) => {
    if (statusCode >= 200 && statusCode < 300) return connected(null, socket);
    socket.destroy();
    fail(`PROXY_${statusCode}`, `it answered ${statusCode} to CONNECT ${place}`);
  });
  asking.on('error', (cause: NodeJS.ErrnoException) => fail(cause.code ?? '', cause.message, cause));
  asking.end();
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
