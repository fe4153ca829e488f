import type { Context } from '../context.ts';
import { toFailure } from '../failures.ts';
import { writeData, writeOut } from '../streams.ts';
import { banner } from './banner.ts';
import { detachedMark, type StartOptions } from './options.ts';
import { logRequests } from './request-log.ts';
import { type Running, runMock } from './run.ts';

/** Runs the server until a signal ends it, or starts it in the background. */
export async function startMock(context: Context, options: StartOptions): Promise<void> {
  const { output } = context;
  // Only what was asked for: `npm start` in a pipe still shows a person what to do next.
  const json = output.explicit && output.format !== 'table';
  const isDetached = context.env[detachedMark] === '1' && process.send !== undefined;
  if (options.detach && !isDetached) {
    const { detach } = await import('./detached.ts');
    const ready = await detach(process.argv.slice(2));
    if (json) return writeData(`${JSON.stringify(ready)}\n`, 'json');
    return writeOut(
      `The orgchat mock server is ready at ${String(ready.baseUrl)} (process ${String(ready.pid)}).\nStop it: orgchat mock stop --url ${String(ready.controlUrl)}\n`,
    );
  }
  const server = await started(options, isDetached);
  const ready = {
    event: 'ready',
    baseUrl: server.baseUrl,
    controlUrl: server.controlUrl,
    ...(server.controlToken !== undefined && { controlToken: server.controlToken }),
    pid: process.pid,
    keys: keysOf(server),
  };
  if (isDetached) {
    process.send?.(ready);
    process.once('disconnect', () => {});
  } else if (json) await writeData(`${JSON.stringify(ready)}\n`, 'json');
  else await writeOut(banner({ ...server, keys: keysOf(server) }));
  if (!json && !output.quiet) logRequests();
  await signalled(context);
  await server.close();
  context.interrupt.handled();
}

async function started(options: StartOptions, isDetached: boolean): Promise<Running> {
  try {
    return await runMock(options);
  } catch (error) {
    const { message, code, hint } = await toFailure(error);
    if (isDetached) process.send?.({ event: 'failed', message, code, hint });
    throw error;
  }
}

const keysOf = ({ mock }: Running): string[] => mock.keys;

/** Resolves at the first SIGTERM or SIGINT. */
function signalled({ interrupt }: Context): Promise<void> {
  return new Promise((resolve) => {
    if (interrupt.stopping) resolve();
    interrupt.signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
