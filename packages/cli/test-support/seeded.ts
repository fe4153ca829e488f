import type { SeedDocument } from '@orgchat/mock-server';
import type { Harness, Result } from './harness.ts';

export const toSeed = (organization: SeedDocument['organizations'][number]): SeedDocument => ({
  organizations: [organization],
});

/** Makes a seed of the organization of a seed, which a sandbox has. */
export async function seedFrom(cli: Harness, seed: SeedDocument, ...args: string[]): Promise<Result> {
  const sandbox = (await cli.control('POST', '/sandboxes', { state: seed })) as { baseUrl: string };
  return cli.run(['mock', 'seed', ...args, '--pacing', 'off'], {
    env: { ORGCHAT_BASE_URL: sandbox.baseUrl },
  });
}
