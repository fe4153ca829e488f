import type { Context } from '../context.ts';
import { toFailure } from '../failures.ts';
import { writeData, writeOut } from '../streams.ts';
import { banner } from './banner.ts';
import { controlTokenOf } from './control.ts';
import { detachedMark, type StartOptions } from './options.ts';
import { logRequests } from './request-log.ts';
import { codesFor, type Running, runMock } from './run.ts';

/** Runs the server until a signal ends it, or starts it in the background. */
export async function startMock(context: Context, options: StartOptions): Promise<void> {
  const { output } = context;
  // Only what was asked for: `npm start` in a pipe still shows a person what to do next.
  const json = output.explicit && output.format !== 'table';
  const isDetached = context.env[detachedMark] === '1' && process.send !== undefined;
  const codes = await codesFor(context);
  if (options.detach && !isDetached) {
    const { detach } = await import('./detached.ts');
    const token = controlTokenOf(options, context.env);
    const { warnings, ...ready } = await detach(process.argv.slice(2), token);
    for (const warning of warnings) output.warn(warning);
    if (json) return writeData(`${JSON.stringify(ready)}\n`, 'json');
    return writeOut(
      `The orgchat mock server is ready at ${ready.baseUrl} (process ${ready.pid}).\nLog: ${ready.log}\nStop it: orgchat mock stop --url ${ready.url}\n`,
    );
  }
  const controlToken = controlTokenOf(options, context.env);
  const server = await started(
    { ...options, ...codes, ...(controlToken !== undefined && { controlToken }) },
    isDetached,
  );
  const warnings = warningsOf(server, options);
  const ready = {
    event: 'ready',
    baseUrl: server.baseUrl,
    controlUrl: server.controlUrl,
    url: server.url,
    ...(server.controlToken !== undefined && { controlToken: server.controlToken }),
    pid: process.pid,
    keys: keysOf(server),
  };
  if (isDetached) {
    process.send?.({ ...ready, warnings });
    process.once('disconnect', () => {});
  } else if (json) await writeData(`${JSON.stringify(ready)}\n`, 'json');
  else await writeOut(banner({ ...server, keys: keysOf(server), writeKey: server.mock.writeKey }));
  if (!isDetached) for (const warning of warnings) output.warn(warning);
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

/** What may surprise whoever started the server. */
function warningsOf({ mock, loopbackOnly }: Running, { host, seed, data }: StartOptions): string[] {
  const warnings: string[] = [];
  if (!loopbackOnly) {
    warnings.push(
      `Other machines can reach this mock on ${host}. Whoever knows one of its keys can read and write; the control API requires the token.`,
    );
  }
  if (mock.isContinued && seed !== undefined) {
    warnings.push(
      `${data} already holds data, so --seed ${seed} was not used. Remove the file to start with the seed.`,
    );
  }
  return warnings;
}

const keysOf = ({ mock }: Running): string[] => mock.keys;

/** Resolves at the first SIGTERM or SIGINT. */
function signalled({ interrupt }: Context): Promise<void> {
  return new Promise((resolve) => {
    if (interrupt.stopping) resolve();
    interrupt.signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
