import { maxGoneSandboxes } from '../mock-limits.ts';

/** A sandbox that no longer exists. */
export interface GoneSandbox {
  readonly id: string;
  readonly name: string | undefined;
  /** When it ended, as an RFC 3339 date and time of the machine. */
  readonly at: string;
  /** A call dropped it, or no request came for its `ttlMs`. */
  readonly reason: 'dropped' | 'expired';
  readonly ttlMs: number | undefined;
}

/** The sandboxes that ended last. Their addresses say so, and do not answer as if a record did not exist. */
export class GoneSandboxes {
  readonly #byId = new Map<string, GoneSandbox>();

  add(sandbox: GoneSandbox): void {
    this.#byId.set(sandbox.id, sandbox);
    if (this.#byId.size <= maxGoneSandboxes) return;
    const [oldest] = this.#byId.keys();
    if (oldest !== undefined) this.#byId.delete(oldest);
  }

  get(id: string): GoneSandbox | undefined {
    return this.#byId.get(id);
  }
}

const showName = ({ id, name }: GoneSandbox): string =>
  name === undefined ? id : `${JSON.stringify(name)} (${id})`;

/** Says which sandbox is gone, since when and why, and what to do. */
export function describeGone(gone: GoneSandbox): string {
  const { at, reason, ttlMs } = gone;
  const why =
    reason === 'expired'
      ? `It expired at ${at}, because no request came for ${ttlMs} ms (ttlMs). Create it with a larger ttlMs, or create another one`
      : `It was dropped at ${at}. Create another one`;
  return `Sandbox ${showName(gone)} is gone. ${why}: POST /sandboxes.`;
}

/** Says that there is no such sandbox, and when there may have been one. */
export const describeUnknown = (id: string): string =>
  `Sandbox ${id.slice(0, 100)} never existed here, or before the last start. Create one: POST /sandboxes.`;
