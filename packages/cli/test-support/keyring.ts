import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Harness } from './harness.ts';

/** What the command finds where it looks for the module of the keychain: entries in a file. */
const keyring = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const file = process.env.TEST_KEYRING;
const all = () => {
  if (!file) throw new Error('no storage');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
};
export class AsyncEntry {
  constructor(service, account) { this.name = service + '/' + account; }
  async getPassword() { return all()[this.name] ?? null; }
  async setPassword(key) { writeFileSync(file, JSON.stringify({ ...all(), [this.name]: key })); }
  async deletePassword() {
    const { [this.name]: _, ...others } = all();
    writeFileSync(file, JSON.stringify(others));
    return true;
  }
}
`;

const hooks = `
export const resolve = (name, context, next) =>
  name === '@napi-rs/keyring' ? { url: new URL('keyring.mjs', import.meta.url).href, shortCircuit: true } : next(name, context);
`;

const register = `
import { register } from 'node:module';
register('./keyring-hooks.mjs', import.meta.url);
`;

/** An environment in which the keychain is a file, or, without one, a module with nothing behind it. */
export function withKeyring(
  { folder, env }: Harness,
  name: string | undefined,
): { env: Record<string, string | undefined>; kept(): unknown } {
  const files = { 'keyring.mjs': keyring, 'keyring-hooks.mjs': hooks, 'keyring-register.mjs': register };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const at = name === undefined ? undefined : join(folder, name);
  const load = `--import ${pathToFileURL(join(folder, 'keyring-register.mjs')).href}`;
  return {
    env: { NODE_OPTIONS: [env.NODE_OPTIONS, load].filter(Boolean).join(' '), TEST_KEYRING: at },
    kept: () => (at !== undefined && existsSync(at) ? JSON.parse(readFileSync(at, 'utf8')) : undefined),
  };
}
