/*
 * Limits of the mock server itself: the control API, and what is kept in memory. The limits of the API are in
 * spec/src/limits.ts.
 */

/** Bytes of a request body that the mock reads before it answers 400 (DECISIONS.md, D8). */
export const maxBodyBytes = 16 * 1024 * 1024;

/** Maximum size in bytes of a control body with a state, and of the answer to `GET /state`. */
export const stateBytes = 256 * 1024 * 1024;

/** Maximum number of faults per mock or sandbox, including used-up ones. */
export const maxFaults = 10_000;

/** Maximum number of sandboxes per mock, including nested ones. */
export const maxSandboxes = 10_000;

/** Number of dropped and expired sandboxes that a mock remembers. */
export const maxGoneSandboxes = 10_000;

/** Maximum lifetime of a sandbox without a request: a week, in milliseconds. */
export const maxSandboxTtlMs = 7 * 24 * 60 * 60 * 1000;

/** Maximum number of milliseconds that one call moves the clock forward: a thousand years. */
export const maxAdvanceMs = 1000 * 365 * 24 * 60 * 60 * 1000;

/** Number of events that a mock or sandbox keeps for event streams that continue. */
export const maxKeptEvents = 10_000;

/** Maximum number of open event streams per mock, including those of its sandboxes. */
export const maxEventStreams = 100;

/** Maximum number of states that a history keeps. Each takes about 25 kB, and more if its request changed more. */
export const maxHistory = 1_000;

/** Number of requests that the request log keeps by default. */
export const defaultRequestLogSize = 10_000;

/** Bytes of bodies that the request log keeps by default. */
export const defaultLogBytes = 32 * 1024 * 1024;

/** Bytes of one body that the request log keeps; the rest of a longer body is not kept. */
export const maxLoggedBodyBytes = 64 * 1024;

/** Formats a whole number for messages: 16,777,216. `toLocaleString` would add 15 ms to the start of every mock. */
export const formatNumber = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
