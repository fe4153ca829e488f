import { spawn } from 'node:child_process';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { withoutSettings } from './command-environment.ts';

/** The program that opens a URL in the browser of the user, and its first arguments. */
function findOpener(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): readonly [string, ...string[]] {
  if (env.BROWSER) return [env.BROWSER];
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}

/**
 * Opens a URL in a browser, and does not wait for the browser to end. The URL must not contain a token: other users of
 * this machine can see the arguments of a process.
 */
export async function openBrowser(url: string, env: NodeJS.ProcessEnv): Promise<void> {
  const [program, ...args] = findOpener(process.platform, env);
  const child = spawn(program, [...args, url], {
    detached: true,
    stdio: 'ignore',
    // The browser and its extensions get no key.
    env: withoutSettings(env),
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => {
      const message = `Could not start ${program} to open ${url}: ${cause.message}.`;
      const hint = `Open ${url} in a browser, or set BROWSER to the program that opens it.`;
      reject(new CliError(message, { code: 'NO_BROWSER', exit: exitCodes.failed, hint, cause }));
    });
  });
  child.unref();
}
