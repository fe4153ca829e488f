import { toShellWord } from '../args/shell-word.ts';
import type { Context } from '../context.ts';
import { toCliError } from '../error-conversion/to-cli-error.ts';
import { usageError } from '../errors/cli-error.ts';
import { writeData, writeOut } from '../output/streams.ts';
import { logRequests } from './access-log.ts';
import { banner } from './banner.ts';
import { getServerSetting } from './command-environment.ts';
import { findControlToken, warnOfVisibleToken } from './control-client.ts';
import { detachedMark, type StartOptions } from './mock-options.ts';
import { type Running, readMockServer, runMock } from './run-mock.ts';

/** Runs the server until a signal ends it, or starts it in the background. */
export async function startMock(context: Context, options: StartOptions): Promise<void> {
  const { output } = context;
  if (options.dataAcceptLoss && options.data === undefined)
    throw usageError(
      '--data-accept-loss requires --data.',
      'orgchat mock start --data FILE --data-accept-loss',
    );
  // Only if JSON was requested: `npm start` in a pipe still prints the text for people.
  const json = output.flagFormat !== undefined && output.flagFormat !== 'table';
  const isDetached = context.env[detachedMark] === '1' && process.send !== undefined;
  const described = await readMockServer(context);
  if (!isDetached) warnOfVisibleToken(options, output);
  if (options.detach && !isDetached) {
    const { detach } = await import('./detached-mock.ts');
    const token = findControlToken(options, context.env);
    const { warnings, ...ready } = await detach(process.argv.slice(2), token, getServerSetting(context));
    for (const warning of warnings) output.warn(warning);
    if (json) return writeData(`${JSON.stringify(ready)}\n`, 'json');
    return writeOut(
      `The orgchat mock server is ready at ${ready.baseUrl} (process ${ready.pid}).\nInspector: ${ready.inspectorUrl}\nLog: ${ready.log}\nStop it: orgchat mock stop --url ${toShellWord(ready.url)}\n`,
    );
  }
  const controlToken = findControlToken(options, context.env);
  const server = await startServer(
    { ...options, ...described, ...(controlToken !== undefined && { controlToken }) },
    isDetached,
  );
  const warnings = getWarnings(server, options);
  const ready = {
    event: 'ready',
    baseUrl: server.baseUrl,
    controlUrl: server.controlUrl,
    inspectorUrl: server.inspectorUrl,
    url: server.url,
    ...(server.controlToken !== undefined && { controlToken: server.controlToken }),
    pid: process.pid,
    keys: getKeys(server),
  };
  if (isDetached) {
    process.send?.({ ...ready, warnings });
    process.once('disconnect', () => {});
  } else if (json) await writeData(`${JSON.stringify(ready)}\n`, 'json');
  else await writeOut(banner({ ...server, keys: getKeys(server), writeKey: server.mock.writeKey }));
  if (!isDetached) for (const warning of warnings) output.warn(warning);
  const accessLog = options.accessLog ?? (json || output.quiet ? 'off' : 'text');
  if (accessLog !== 'off') logRequests(accessLog);
  await waitForSignal(context);
  await server.close();
  context.interrupt.markHandled();
}

async function startServer(options: StartOptions, isDetached: boolean): Promise<Running> {
  try {
    return await runMock(options);
  } catch (error) {
    const { message, code, hint } = await toCliError(error);
    if (isDetached) process.send?.({ event: 'failed', message, code, hint });
    throw error;
  }
}

/** Warnings for the person who starts the server. */
function getWarnings({ mock, loopbackOnly }: Running, { host, seed, data }: StartOptions): string[] {
  const warnings: string[] = [];
  if (!loopbackOnly) {
    warnings.push(
      `Other machines can reach this mock on ${host}. Anyone with one of its keys can read and write. The control API requires the token.`,
    );
  }
  if (mock.isContinued && seed !== undefined) {
    warnings.push(
      `${data} already contains data, so --seed ${seed} was ignored. Remove the file to start with the seed.`,
    );
  }
  return warnings;
}

const getKeys = ({ mock }: Running): string[] => mock.keys;

/** Resolves at the first signal that ends a command. */
function waitForSignal({ interrupt }: Context): Promise<void> {
  return new Promise((resolve) => {
    if (interrupt.stopping) resolve();
    interrupt.signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
