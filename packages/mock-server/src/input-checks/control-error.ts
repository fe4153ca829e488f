import { describeGone, type GoneSandbox } from '../sandboxes/gone-sandboxes.ts';

/** Thrown for an invalid control call, with what is wrong and where. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;
  /** Further fields of the answer beside code and message. */
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.extra = extra;
  }
}

/** Creates a 404 that names what was not found. */
export const notFound = (missing: string, advice?: string): ControlError =>
  new ControlError(404, 'NOT_FOUND', [`There is no ${missing}.`, advice].filter(Boolean).join(' '));

export const invalid = (message: string): ControlError => new ControlError(400, 'INVALID_INPUT', message);

/** Says that a mock has no such key, and how its keys are named. The texts of keys are secret. */
export const unknownKey = (world: { listKeys(): readonly { readonly name: string }[] }): ControlError => {
  const names = world.listKeys().map(({ name }) => name);
  return invalid(
    `key must be the text of a key of this mock server. Its keys are named ${names.join(', ')}.`,
  );
};

/** Says that a sandbox is gone, and which, since when and why. */
export const sandboxGone = (gone: GoneSandbox): ControlError => {
  const { id, name = null, at, reason, ttlMs = null } = gone;
  return new ControlError(410, 'SANDBOX_GONE', describeGone(gone), {
    sandbox: { id, name, at, reason, ttlMs },
  });
};
