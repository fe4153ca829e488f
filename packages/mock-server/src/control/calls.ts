import { clockCalls } from './calls/clock.ts';
import { editCalls } from './calls/edit.ts';
import { eventCalls } from './calls/events.ts';
import { faultCalls } from './calls/faults.ts';
import { injectionCalls } from './calls/injection.ts';
import { keyCalls } from './calls/keys.ts';
import { limitCalls } from './calls/limits.ts';
import { organizationCalls } from './calls/organizations.ts';
import { recordCalls } from './calls/records.ts';
import { requestCalls } from './calls/requests.ts';
import { sandboxCalls } from './calls/sandboxes.ts';
import { serverCalls } from './calls/server.ts';
import { stateCalls } from './calls/state.ts';

/** All calls of the control API, in the order of its document. */
export const controlCalls = {
  ...serverCalls,
  ...stateCalls,
  ...organizationCalls,
  ...keyCalls,
  ...limitCalls,
  ...faultCalls,
  ...requestCalls,
  ...eventCalls,
  ...recordCalls,
  ...injectionCalls,
  ...clockCalls,
  ...sandboxCalls,
  ...editCalls,
};

export type ControlCallName = keyof typeof controlCalls;
export const controlCallNames = Object.keys(controlCalls) as ControlCallName[];
