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
import type { Use } from './uses/judge.ts';

/** A server on a port, which becomes any member of the family. */
export const startFamily = (): Promise<FamilyServer> =>
  startServer(new Service(createOrganization(assumed), createPresentation(assumed)));

/** Judges every use of the command, and `uses` of the SDK. Those of the SDK are sent over HTTP if `isSdkOverHttp`. */
export async function runAll(
  members: readonly Member[],
  isDescribed: boolean,
  {
    select,
    isSdkOverHttp = false,
    uses = sdkUses,
  }: { select?: Select; isSdkOverHttp?: boolean; uses?: readonly Use[] } = {},
): Promise<Cell[]> {
  const family = await startFamily();
  const cli = new Harness({ inProcess: true });
  try {
    return [
      ...(await runMatrix(members, uses, { isDescribed, ...(isSdkOverHttp && { family }) }, select)),
      ...(await runMatrix(members, createCliUses(cli), { isDescribed, family }, select)),
    ];
  } finally {
    family.close();
    await cli.end();
  }
}
