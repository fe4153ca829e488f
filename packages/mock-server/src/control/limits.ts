/** Bytes of a control body that carries a state, and of the state that `GET /state` writes. */
export const stateBytes = 256 * 1024 * 1024;

/** Faults that one mock or sandbox keeps, including those that hit as often as they were armed for. */
export const maxFaults = 10_000;

/** Sandboxes of one mock, nested ones included. */
export const maxSandboxes = 10_000;

/** A number as messages show it: 16,777,216. */
export const grouped = (value: number): string => value.toLocaleString('en-US');
