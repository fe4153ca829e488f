import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { GlobalOptions } from '../args/global-options.ts';
import { isBounded, type ResourceName, readBounded, readPage } from '../resources/fetch-records.ts';
import type { Target } from '../settings/api-target.ts';
import { stateDirectory } from '../settings/directories.ts';
import { readJson, writeJson } from '../settings/private-files.ts';

/** Whose names can be completed. */
export type NameableResource = ResourceName | 'projects';

/** Nobody waits longer than this for a completion. */
const deadlineMs = 1_000;
/** Pressing TAB again within this time sends no request: each one counts toward the limits of the key. */
const freshMs = 60_000;

interface CachedNames {
  readonly at: number;
  readonly names: readonly string[];
}

const isCachedNames = (value: unknown): value is CachedNames =>
  typeof value === 'object' &&
  value !== null &&
  'at' in value &&
  typeof value.at === 'number' &&
  'names' in value &&
  Array.isArray(value.names) &&
  value.names.every((name) => typeof name === 'string');

/**
 * Reads the names of the newest 50 records with one request and no retry. It ends after a second. On any failure it
 * returns no names and prints nothing.
 */
export async function readNames(
  what: NameableResource,
  given: ReadonlyMap<string, string>,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  if (env.ORGCHAT_COMPLETE_NAMES === 'off') return [];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve([]), deadlineMs);
  });
  const names = readCached(what, given, env).catch(() => []);
  const first = await Promise.race([names, late]);
  clearTimeout(timer);
  return first;
}

async function readCached(
  what: NameableResource,
  given: ReadonlyMap<string, string>,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const { resolveTarget } = await import('../settings/api-target.ts');
  const [profile, baseUrl] = [given.get('--profile'), given.get('--base-url')];
  const options: GlobalOptions = { ...(profile && { profile }), ...(baseUrl && { baseUrl }) };
  const target = await resolveTarget(options, env);
  const digest = createHash('sha256').update(`${target.baseUrl} ${target.apiKey} ${what}`).digest('hex');
  const path = join(stateDirectory(), 'completion', `${digest.slice(0, 32)}.json`);
  const kept = await readJson(path).catch(() => undefined);
  const age = isCachedNames(kept) ? Date.now() - kept.at : -1;
  if (isCachedNames(kept) && age >= 0 && age < freshMs) return kept.names;
  const names = await requestNames(what, target, env);
  await writeJson(path, { at: Date.now(), names } satisfies CachedNames).catch(() => {});
  return names;
}

async function requestNames(
  what: NameableResource,
  { apiKey, baseUrl }: Target,
  env: NodeJS.ProcessEnv,
): Promise<string[]> {
  const { createClient } = await import('@orgchat/sdk');
  const { createFetch } = await import('../connection/proxy-settings.ts');
  const fetch = await createFetch(baseUrl, env);
  const client = createClient({ apiKey, baseUrl, fetch, retry: false, pacing: false, timeoutMs: deadlineMs });
  if (what === 'projects') return (await client.studio.projects()).projects.map(({ name }) => name);
  const { records } = isBounded(what)
    ? await readBounded(client, what, {})
    : await readPage(client, what, { limit: 50 });
  const names = records.map(({ label, name }) => label ?? name);
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}
