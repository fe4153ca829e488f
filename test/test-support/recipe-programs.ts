import { mkdtempSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createMock, type Listening, type Mock } from '@orgchat/mock-server';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { recipesOf, root } from './cookbook.ts';

/** The recipes of the guide as files, and the mock that they call. */
interface RecipePrograms {
  readonly mock: Mock;
  readonly folder: string;
  /** Loads a recipe as a new process would: with a client of its own, and the journal that the last run left. */
  load<Exports>(name: string): Promise<Exports>;
  /** How many changes the mock applied. */
  applied(): number;
}

/** Writes the recipes into a folder for the tests of a file. Each test begins with new data, and prints nothing. */
export function useRecipePrograms(): RecipePrograms {
  const mock = createMock({ rateLimit: 'off' });
  // Below the root, where the packages are found as a user finds them.
  const folder = mkdtempSync(join(root, 'node_modules/.cookbook-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, code] of recipesOf('ts'))
    writeFileSync(join(folder, `${name}.ts`), code.replace('/data/journal', join(folder, 'data')));
  let server: Listening;
  let loads = 0;
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    mock.reset();
    // An address of its own, so that the pacing of one test does not make another one wait.
    server = await mock.listen({ port: 0 });
    vi.stubEnv('ORGCHAT_API_KEY', 'demo-write-key');
    vi.stubEnv('ORGCHAT_BASE_URL', server.baseUrl);
    vi.stubEnv('XDG_STATE_HOME', await mkdtemp(join(folder, 'state-')));
    for (const method of ['log', 'error'] as const) vi.spyOn(console, method).mockReturnValue();
  });
  afterEach(async () => {
    await server.close();
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  return {
    mock,
    folder,
    applied: () => mock.requests.list().filter((request) => request.applied === true).length,
    async load<Exports>(name: string): Promise<Exports> {
      loads += 1;
      return (await import(/* @vite-ignore */ `${join(folder, name)}.ts?load=${loads}`)) as Exports;
    },
  };
}
