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

function describe({ name, version, license }: BundledPackage, reference = purl(name, version)) {
  const licenses = license === undefined ? {} : { licenses: [describeLicense(license)] };
  return {
    'bom-ref': reference,
    type: 'library',
    name,
    version,
    purl: purl(name, version),
    ...licenses,
  };
}

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
  /** By the folder of each package, so that two versions of one are two components. */
  const installed = new Map<string, object>();
  const dependencies: object[] = [];

  const add = (from: string, reference: string, needed: PublishedManifest, isOptional: boolean): void => {
    const references = [
      ...Object.keys(needed.dependencies ?? {}).map((name) => [name, isOptional] as const),
      ...Object.keys(needed.optionalDependencies ?? {}).map((name) => [name, true] as const),
    ].map(([name, optional]) => {
      const found = resolveInLock(lock, from, name);
      const entry = found === undefined ? undefined : lock[found];
      if (found === undefined || entry?.version === undefined) {
        throw new Error(`package-lock.json has no entry for ${name}, which ${reference} requires.`);
      }
      const { version, license, integrity } = entry;
      const component = describe({ name, version, ...(license === undefined ? {} : { license }) });
      if (!installed.has(found)) {
        installed.set(found, {
          ...component,
          scope: optional ? 'optional' : 'required',
          ...(integrity?.startsWith('sha512-') && {
            hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }],
          }),
        });
        add(found, component['bom-ref'], { name, version, ...entry }, optional);
      }
      return component['bom-ref'];
    });
    dependencies.push({ ref: reference, dependsOn: references });
  };

  const contained = bundled.map((one) => ({
    ...describe(one, `${purl(one.name, one.version)}#bundled`),
    scope: 'required',
    properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }],
  }));
  add(folder, own['bom-ref'], manifest, false);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: own },
    components: [...contained, ...installed.values()],
    dependencies: dependencies.reverse(),
  };
}
