import { type Lock, resolveInLock } from './lock-file.ts';

/** A package whose code is in the files of another. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

interface PublishedManifest extends BundledPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const purl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function describe({ name, version, license }: BundledPackage) {
  const licenses = license === undefined ? {} : { licenses: [describeLicense(license)] };
  const id = purl(name, version);
  return { 'bom-ref': id, type: 'library', name, version, purl: id, ...licenses };
}

type Component = ReturnType<typeof describe> & {
  readonly scope: 'required' | 'optional';
  readonly hashes?: readonly object[];
  readonly properties?: readonly object[];
};

/** Marks what is in the files of the package itself. */
const bundledProperty = { name: 'cdx:npm:package:bundled', value: 'true' };

/** An SPDX id, or an expression of several. */
const describeLicense = (license: string) =>
  /[\s()]/.test(license) ? { expression: license } : { license: { id: license } };

/**
 * Returns the list of what comes with a package, in CycloneDX 1.5: what its files contain, and what npm installs for it,
 * as package-lock.json has it. Peers are not in it: the user chooses them.
 *
 * `npm sbom` knows nothing of bundles. Of a workspace, it also leaves out what another workspace has for its tests.
 *
 * @param folder The folder of the package, relative to that of the lock file.
 */
export function composeBillOfMaterials(
  manifest: PublishedManifest,
  folder: string,
  lock: Lock,
  bundled: readonly BundledPackage[],
): object {
  const own = describe(manifest);
  /** By purl, which names each once: two copies of one version are one component. */
  const components = new Map<string, Component>();
  const dependencies = new Map<string, Set<string>>();
  /** By folder, because copies of one version may find other packages. Whether each was only reached as optional. */
  const visited = new Map<string, boolean>();

  const add = (from: string, reference: string, needed: PublishedManifest, isOptional: boolean): void => {
    const references = dependencies.get(reference) ?? new Set();
    dependencies.set(reference, references);
    const names = [
      ...Object.keys(needed.dependencies ?? {}).map((name) => [name, isOptional] as const),
      ...Object.keys(needed.optionalDependencies ?? {}).map((name) => [name, true] as const),
    ];
    for (const [name, optional] of names) {
      const found = resolveInLock(lock, from, name);
      const entry = found === undefined ? undefined : lock[found];
      if (found === undefined || entry?.version === undefined) {
        throw new Error(`package-lock.json has no entry for ${name}, which ${reference} requires.`);
      }
      const { version, license, integrity } = entry;
      const component = describe({ name, version, ...(license === undefined ? {} : { license }) });
      const known = components.get(component.purl);
      components.set(component.purl, {
        ...component,
        ...known,
        scope: known?.scope === 'required' || !optional ? 'required' : 'optional',
        ...(integrity?.startsWith('sha512-') && {
          hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }],
        }),
      });
      references.add(component.purl);
      const before = visited.get(found);
      if (before === undefined || (before && !optional)) {
        visited.set(found, optional);
        add(found, component.purl, { name, version, ...entry }, optional);
      }
    }
  };

  for (const one of bundled) {
    const component = describe(one);
    components.set(component.purl, { ...component, scope: 'required', properties: [bundledProperty] });
  }
  add(folder, own.purl, manifest, false);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: own },
    components: [...components.values()],
    dependencies: Array.from(dependencies, ([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn] })),
  };
}
