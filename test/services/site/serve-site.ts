import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The file of an address: an address without an extension is that of a page. */
function findFile(folder: string, pathname: string): string | undefined {
  const path = join(folder, normalize(decodeURIComponent(pathname)));
  return [path, `${path}.html`, join(path, 'index.html')].find(
    (file) => existsSync(file) && statSync(file).isFile(),
  );
}

/** Serves a built site on a free port of this machine, as a host of static files does. */
export async function serveSite(
  folder: string,
): Promise<{ readonly origin: string; readonly server: Server }> {
  const server = createServer(({ url = '/' }, response) => {
    const found = findFile(folder, new URL(url, 'http://localhost').pathname);
    const file = found ?? join(folder, '404.html');
    response.writeHead(found === undefined ? 404 : 200, {
      'Content-Type': types[extname(file)] ?? 'application/octet-stream',
    });
    response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
