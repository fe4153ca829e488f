import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Harness } from './harness.ts';

/** A keychain that is a file, or, without one, a module with nothing behind it. Runs in the tests' process have it. */
export function withKeyring(
  { folder }: Harness,
  name: string | undefined,
): { env: Record<string, string | undefined>; kept(): unknown } {
  const at = name === undefined ? undefined : join(folder, name);
  return {
    env: { TEST_KEYRING: at },
    kept: () => (at !== undefined && existsSync(at) ? JSON.parse(readFileSync(at, 'utf8')) : undefined),
  };
}

const standIn = JSON.stringify(new URL('keyring-stand-in.mjs', import.meta.url));

const hooks = `
export const resolve = (name, context, next) =>
  name === '@napi-rs/keyring' ? { url: ${standIn}, shortCircuit: true } : next(name, context);
`;

const register = `
import { register } from 'node:module';
register('./keyring-hooks.mjs', import.meta.url);
`;

/** Variables with which a process of its own has this keychain, too. */
export function replaceKeyring({ folder, env }: Harness): Record<string, string | undefined> {
  const files = { 'keyring-hooks.mjs': hooks, 'keyring-register.mjs': register };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const load = `--import ${pathToFileURL(join(folder, 'keyring-register.mjs')).href}`;
  return { NODE_OPTIONS: [env.NODE_OPTIONS, load].filter(Boolean).join(' ') };
}
