/** A path of a mock: what leads to a sandbox, and what follows. */
interface SandboxPath {
  /** Empty for the mock itself. */
  readonly prefix: string;
  /** The id of the sandbox that answers; undefined for the mock itself. */
  readonly sandboxId: string | undefined;
  readonly rest: string;
}

/** Splits a path. It may lead through several sandboxes; the last one answers. */
export function splitSandboxPath(path: string): SandboxPath {
  const [prefix = '', sandboxId] = /^(?:\/_sandbox\/([^/?]+))*/.exec(path) ?? [];
  return { prefix, sandboxId, rest: path.slice(prefix.length) };
}
