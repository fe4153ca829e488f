import { isObject } from '@orgchat/spec/is-object';
import { idFields } from '@orgchat/spec/resources/id-fields';
import { Masker } from './masker.ts';
import { OriginalTexts } from './original-texts.ts';

type Kind = 'id' | 'friendId' | 'fieldKey' | 'uri' | 'text';
type MapText = (text: string, kind: Kind, place: string) => string;

/** Fields whose texts the contract or the service fixes: choices, colors and times. They say nothing about anybody. */
const fixedFields = new Set([
  'color',
  'delayUnit',
  'direction',
  'kind',
  'matchType',
  'sendTime',
  'size',
  'status',
  'style',
  'target',
  'timingMode',
  'trigger',
  'type',
  'createdAt',
  'updatedAt',
  'sentAt',
  'enrolledAt',
  'submittedAt',
  'clickedAt',
  'resetsAt',
]);
/** What a fixed field holds at most. Anything else in it is masked as text. */
const fixedForm = /^[\w:.+#-]{1,40}$/;

/** Fields of an organization that do not come from its records. */
const ownFields = new Set(['plan', 'keys', 'runtime', 'studio', 'deleted']);

function getKind(field: string, place: string, text: string): Kind | 'fixed' {
  if (idFields.has(field)) return 'id';
  if (field === 'userId') return 'friendId';
  if (field === 'uri') return 'uri';
  if (field === 'key' && place.startsWith('forms/')) return 'fieldKey';
  return fixedFields.has(field) && fixedForm.test(text) ? 'fixed' : 'text';
}

function mapTexts(value: unknown, field: string, place: string, map: MapText): unknown {
  if (typeof value === 'string') {
    const kind = getKind(field, place, value);
    return kind === 'fixed' ? value : map(value, kind, place);
  }
  if (Array.isArray(value))
    return value.map((item: unknown, index) => mapTexts(item, field, `${place}/${index}`, map));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === 'values'
        ? mapValues(part, `${place}/values`, map)
        : mapTexts(part, name, `${place}/${name}`, map),
    ]),
  );
}

/** The answers of a submission, by the key of their form field. */
function mapValues(values: unknown, place: string, map: MapText): unknown {
  if (!isObject(values)) return mapTexts(values, 'text', place, map);
  return Object.fromEntries(
    Object.entries(values).map(([key, answer], index) => [
      map(key, 'fieldKey', `${place}/${index}`),
      mapTexts(answer, 'text', `${place}/${index}/answer`, map),
    ]),
  );
}

function mapOrganization(
  organization: Readonly<Record<string, unknown>>,
  map: MapText,
): Record<string, unknown> {
  const parts = Object.entries(organization).map(([field, part]) => [
    field,
    ownFields.has(field) || field === 'id' ? part : mapTexts(part, field, field, map),
  ]);
  return Object.fromEntries(parts) as Record<string, unknown>;
}

/** Parts of a text that say something alone. */
const tellingParts = /(?<=:\/\/)[^/?#:\s]+|[\w.+-]+@[\w.-]+/g;

/**
 * Masks an organization of a seed: every text, name, id and address is replaced, also in fields that this program does
 * not know. What stays are numbers, times, colors and choices of the contract such as `active` or `trigger`. References,
 * link placeholders and the keys of form answers still fit, and lengths stay.
 */
export function maskOrganization<T extends object>(organization: T): T {
  const originals = new OriginalTexts();
  if ('id' in organization) originals.add(String(organization.id));
  mapOrganization(organization as Readonly<Record<string, unknown>>, (text) => {
    originals.add(text);
    for (const [part] of text.matchAll(tellingParts)) originals.add(part);
    return text;
  });
  const masker = new Masker(originals);
  const masked = mapOrganization(organization as Readonly<Record<string, unknown>>, (text, kind, place) =>
    masker[kind](text, place),
  );
  return { ...masked, id: maskedOrganizationId } as T;
}

/** The id of every masked organization. */
const maskedOrganizationId = 'org_masked';
