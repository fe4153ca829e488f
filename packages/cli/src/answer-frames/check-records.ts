import type { OrgChatClient, ServerDescription } from '@orgchat/sdk';
import { getChatApi, labelFields } from '@orgchat/sdk/internal';
import type { ConfigurationResource } from '@orgchat/spec';
import { singularNames } from '@orgchat/spec/resources/names';
import type { Row } from '../output/output.ts';
import { pluralName } from '../resources/resource-names.ts';
import { type Difference, describeList, describeRecord, findList, findSent } from './describe-answers.ts';
import { findPlace, isNamed, type Place } from './find-place.ts';

/** The first of these that has a record is read. Most organizations have tags. */
const resources: readonly ConfigurationResource[] = ['tags', 'templates'];

/** What the server answers to reading a list and one of its records. */
export interface RecordsCheck {
  /** Where everything was found, as one sentence. */
  readonly detail: string;
  /** How to describe the answers; undefined if they can be read. */
  readonly hint?: string;
}

/** Reads a list and one of its records by its id, with at most three requests, and says how the server frames them. */
export async function checkRecords(
  client: OrgChatClient,
  description: ServerDescription = { server: 1 },
  signal?: AbortSignal,
): Promise<RecordsCheck> {
  const api = getChatApi(client);
  for (const resource of resources) {
    const list = await api.read({ resource, limit: 1 }, { signal });
    const found = describeList(description, resource, list);
    const row = found.value;
    if (row === undefined) return refuse(resource, found.differences, found.server);
    if (row.id === undefined) {
      // An empty list does not show where a record is.
      if (found.differences.length > 0) return refuse(resource, found.differences, found.server);
      continue;
    }
    const id = String(row.id);
    const one = await api.read({ resource, id }, { signal });
    const read = describeRecord(found.server, resource, one, id);
    const differences = [...found.differences, ...read.differences];
    if (read.value === undefined || differences.length > 0) return refuse(resource, differences, read.server);
    return { detail: describePlaces(resource, list.data, one.data, read.value) };
  }
  const names = resources.map(pluralName).join(' and no ');
  return { detail: `no ${names}, so there is no record to read` };
}

/** Says what is different, and the description with which the answers could be read. */
function refuse(
  resource: ConfigurationResource,
  differences: readonly Difference[],
  server: ServerDescription,
): RecordsCheck {
  const missing = differences.filter(({ value }) => value === undefined).map(({ key }) => key);
  const { shapes } = server;
  const hints = [
    ...(shapes === undefined
      ? []
      : [`Write in a file for --server: ${JSON.stringify({ server: 1, shapes })}`]),
    ...(missing.length === 0 ? [] : [`Add where it is, with the key ${missing.join(', ')}.`]),
    'Help: orgchat help server',
  ];
  return {
    detail: `${pluralName(resource)}: ${differences.map(({ what, key }) => `${what} (${key})`).join('; ')}`,
    hint: hints.join(' '),
  };
}

/** Says where the parts of the record are, as they were found in the answers. */
function describePlaces(resource: ConfigurationResource, list: object, one: object, record: Row): string {
  const sent = findSent(one, String(record.id));
  const place = (name: string): Place | undefined => {
    const isIt = ({ value }: Place): boolean => value === record[name];
    return (
      findPlace(sent?.value, (found) => isIt(found) && isNamed(found, name)) ?? findPlace(sent?.value, isIt)
    );
  };
  const label = labelFields[resource];
  const places: [string, Place | undefined][] = [
    ['list', findList(list)],
    ['record', sent],
    ...[label, 'revision', 'label'].map((name): [string, Place | undefined] => [name, place(name)]),
  ];
  const shown = places.map(([name, found]) => `${name} at ${JSON.stringify(found?.pointer ?? '')}`);
  return `${singularNames[resource]} "${record[label]}": ${shown.join(', ')}`;
}
