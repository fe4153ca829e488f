import { warnProcess } from '../options.ts';

/** Why the work of an organization waits. */
export interface WaitReason {
  /** A code for the warning. */
  readonly code: string;
  /** What a person reads. */
  readonly message: string;
}

interface OrganizationState {
  /** When its work is sent again, by `performance.now()`, and why not before. */
  until: number;
  reason: WaitReason | undefined;
  /** The codes that were reported since a job was done. */
  readonly reported: Set<string>;
  /** When a job had to wait last, by `performance.now()`. */
  waitedAt: number;
  /** How many times in a row its key was refused. */
  refusals: number;
  /** Ends the waits of its calls. */
  controller: AbortController;
}

/**
 * Which organizations have to wait: their key is refused, or a limit is reached. Their jobs give their place in the worker
 * back, and no job of them is sent until then, so that the others lose nothing.
 */
export interface OrganizationWaits {
  /** Returns how long no job of an organization is sent, in milliseconds, and why. Undefined: it may be sent. */
  find(organization: string): { readonly restMs: number; readonly reason: WaitReason } | undefined;
  /** Begins a wait, and ends those of calls that are in line. */
  begin(organization: string, ms: number, reason: WaitReason): void;
  /** Counts a refusal of the key of an organization, and returns how many there were in a row. */
  countRefusal(organization: string): number;
  /** Reports once why jobs wait, until one of them is done. */
  report(organization: string, reason: WaitReason): void;
  /** A job was done that was sent at this time of `performance.now()`. One that was sent before a wait ends none. */
  succeed(organization: string, sentAt: number): void;
  /** The signal that ends the waits of the calls of an organization. */
  signal(organization: string): AbortSignal;
}

/** Creates the waits of a processor. `stop` ends those of all calls. */
export function createOrganizationWaits(stop: AbortSignal | undefined): OrganizationWaits {
  const states = new Map<string, OrganizationState>();
  stop?.addEventListener('abort', () => {
    for (const { controller } of states.values()) controller.abort(stop.reason);
  });

  function get(organization: string): OrganizationState {
    const state = states.get(organization) ?? {
      ...{ until: 0, reason: undefined, reported: new Set(), refusals: 0 },
      waitedAt: Number.NEGATIVE_INFINITY,
      controller: new AbortController(),
    };
    states.set(organization, state);
    return state;
  }

  const waits: OrganizationWaits = {
    find(organization) {
      const { until, reason } = get(organization);
      const restMs = until - performance.now();
      return restMs > 0 && reason ? { restMs, reason } : undefined;
    },
    begin(organization, ms, reason) {
      const state = get(organization);
      state.until = Math.max(state.until, performance.now() + ms);
      state.reason = reason;
      state.controller.abort();
      state.controller = new AbortController();
      waits.report(organization, reason);
    },
    countRefusal(organization) {
      const state = get(organization);
      // Calls that were refused together are one refusal.
      if (!waits.find(organization)) state.refusals++;
      return Math.max(1, state.refusals);
    },
    report(organization, reason) {
      const state = get(organization);
      state.waitedAt = performance.now();
      if (!state.reported.has(reason.code)) warnProcess(reason);
      state.reported.add(reason.code);
    },
    succeed(organization, sentAt) {
      const state = get(organization);
      if (sentAt < state.waitedAt) return;
      state.reported.clear();
      state.refusals = 0;
    },
    signal: (organization) => get(organization).controller.signal,
  };
  return waits;
}
