import { Harness } from '../../../packages/cli/test-support/harness.ts';
import { createOrganization } from './create-organization.ts';
import { assumed } from './members/axes.ts';
import { createPresentation } from './members/create-presentation.ts';
import type { Member } from './members/members.ts';
import { type Cell, runMatrix, type Select } from './run-matrix.ts';
import { Service } from './server/service.ts';
import { type FamilyServer, startServer } from './server/start-server.ts';
import { sdkUses } from './uses/all-uses.ts';
import { createCliUses } from './uses/cli-uses.ts';

/** A server on a port, which becomes any member of the family. */
export const startFamily = (): Promise<FamilyServer> =>
  startServer(new Service(createOrganization(assumed), createPresentation(assumed)));

/** Where the uses of the SDK are judged: within this process, over HTTP, or not at all. */
export interface RunOptions {
  readonly select?: Select;
  readonly sdk?: 'direct' | 'http' | 'none';
}

/** Judges every use of the SDK and the command. The command sends over HTTP. */
export async function runAll(
  members: readonly Member[],
  isDescribed: boolean,
  { select, sdk = 'direct' }: RunOptions = {},
): Promise<Cell[]> {
  const family = await startFamily();
  const cli = new Harness({ inProcess: true });
  const ofSdk = { isDescribed, ...(sdk === 'http' && { family }) };
  try {
    return [
      ...(await runMatrix(members, sdk === 'none' ? [] : sdkUses, ofSdk, select)),
      ...(await runMatrix(members, createCliUses(cli), { isDescribed, family }, select)),
    ];
  } finally {
    family.close();
    await cli.end();
  }
}
