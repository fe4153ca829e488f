import type { ConfigurationResource } from '@orgchat/spec';
import type { Problem } from '../file/problems.ts';
import type { ConfigFile, Wanted } from '../file/read.ts';
import type { Held, Organization } from '../organization.ts';

/** Which record of the organization each record of the file is; undefined for one that is to be made. */
export interface Matches {
  readonly of: ReadonlyMap<Wanted, Held | undefined>;
  /** Records of the resources the file speaks of, that are not in it. */
  readonly others: readonly (Held & { readonly resource: ConfigurationResource })[];
}

/**
 * A record is known by its id; without one, or where the organization does not know it, by its label. Where that
 * fits two, on either side, nothing is guessed.
 */
export function match(
  file: ConfigFile,
  organization: Organization,
): { matches: Matches; problems: Problem[] } {
  const of = new Map<Wanted, Held | undefined>();
  const taken = new Set<Held>();
  const problems: Problem[] = [];
  const take = (wanted: Wanted, held: Held | undefined): void => {
    if (held !== undefined) taken.add(held);
    of.set(wanted, held);
  };
  const known = (wanted: Wanted): Held | undefined =>
    organization.records[wanted.resource].find(({ id }) => id === wanted.id);
  const byLabel: Wanted[] = [];
  for (const wanted of file.records) {
    const held = wanted.id === undefined ? undefined : known(wanted);
    if (held === undefined) byLabel.push(wanted);
    else take(wanted, held);
  }
  const seen = new Map<string, Wanted>();
  for (const wanted of byLabel) {
    const { resource, label, line } = wanted;
    const twin = seen.get(`${resource} ${label}`);
    seen.set(`${resource} ${label}`, wanted);
    // A record that another one of the file is by its id, is renamed there: its label is free.
    const alike = organization.records[resource].filter((held) => held.label === label && !taken.has(held));
    if (twin !== undefined) {
      problems.push({
        line,
        message: `${resource} "${label}" stands here twice (first on line ${twin.line}), and is known by its label only`,
      });
    } else if (alike.length > 1) {
      const ids = alike.map(({ id }) => id).join(', ');
      problems.push({
        line,
        message: `${resource} "${label}": the organization has ${alike.length} of this label; give the id: ${ids}`,
      });
    } else take(wanted, alike[0]);
  }
  const others = file.resources.flatMap((resource) =>
    organization.records[resource].filter((held) => !taken.has(held)).map((held) => ({ ...held, resource })),
  );
  return { matches: { of, others }, problems };
}
