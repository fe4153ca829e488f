import type { Probe } from './probe.ts';
import { accountProbe } from './probes/account.ts';
import { errorProbes } from './probes/errors.ts';
import { forbiddenProbe } from './probes/forbidden.ts';
import { listProbes, pagingProbe } from './probes/lists.ts';
import { minuteProbe } from './probes/minute.ts';
import { peopleProbes } from './probes/people.ts';
import { recordProbes } from './probes/records.ts';
import { studioProbes } from './probes/studio.ts';
import { operationProbes } from './probes/write-operations.ts';
import { ruleProbes } from './probes/write-rules.ts';

/** All probes, in the order in which they are asked. The first one is the account. */
export const probes: readonly Probe[] = [
  accountProbe,
  ...errorProbes,
  ...listProbes,
  pagingProbe,
  ...recordProbes,
  ...studioProbes,
  ...peopleProbes,
  forbiddenProbe,
  ...operationProbes,
  ...ruleProbes,
  // It leaves no request to others, so it is the last one.
  minuteProbe,
];
