import { parseRepository } from './repository-address.ts';

/** The fields of a package.json, in their order. */
export type Manifest = Readonly<Record<string, unknown>>;

/** The fields of the package.json of the root that the published packages share. */
export interface SharedMetadata {
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly keywords: readonly string[];
  /** The address of the repository, if its owner has set it. */
  readonly repository?: string | { readonly url?: string };
  /** The address of the documentation site, if there is one. */
  readonly homepage?: string;
}

/** The folders of the published packages, in the order in which they are published: none needs a later one. */
export const publishedPackages = ['sdk', 'mock-server', 'fleet', 'cli'] as const;

/** What people search for, besides the keywords of the root. */
const ownKeywords: Readonly<Record<(typeof publishedPackages)[number], readonly string[]>> = {
  sdk: ['api-client', 'exactly-once', 'idempotency', 'retry', 'sdk', 'typescript'],
  'mock-server': ['api-mock', 'fault-injection', 'mock-server', 'msw', 'testing'],
  fleet: ['bullmq', 'distributed', 'outbox', 'postgres', 'rate-limit', 'redis'],
  cli: ['cli', 'command-line', 'configuration-as-code', 'mock-server'],
};

/** Returns `homepage`, `bugs` and `repository` of a package; none if the address of the repository is not set. */
function addresses(folder: string, shared: SharedMetadata): Manifest {
  const repository = parseRepository(shared.repository);
  if (repository === undefined) return {};
  const { url } = repository;
  const directory = `packages/${folder}`;
  return {
    homepage: shared.homepage ?? `${url}/tree/main/${directory}#readme`,
    bugs: { url: `${url}/issues` },
    repository: { type: 'git', url: `git+${url}.git`, directory },
  };
}

/**
 * Returns the package.json of a published package with what it shares with the others: license, engines, keywords,
 * and addresses. Its version is that which changesets wrote.
 */
export function derivePackageManifest(
  manifest: Manifest,
  folder: (typeof publishedPackages)[number],
  shared: SharedMetadata,
): Manifest {
  const { name, version, description, keywords, homepage, bugs, repository, license, ...others } = manifest;
  return {
    name,
    version,
    description,
    keywords: [...new Set([...shared.keywords, ...ownKeywords[folder]])].sort(),
    ...addresses(folder, shared),
    license: shared.license,
    ...others,
    engines: shared.engines,
  };
}
