import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { configurationData } from '../../../../spec/src/resources/configurations.ts';
import { pascalCase, singularNames } from '../../../../spec/src/resources/names.ts';
import { document } from '../../../../spec/test-support/document.ts';
import type { Data, Stored, StoredResource } from '../server/organization.ts';
import type { Row } from './stage.ts';
import { require } from './verdict-errors.ts';

/* Whether a record that a client returned is what its type promises, and what the server has stored. */

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ ...document, $id: 'openapi' });

/** The fields that are promised of a record; all others may be missing. */
export function promisedFields(resource: StoredResource): readonly string[] {
  if (resource === 'friends') return ['accountId', 'userId', 'displayName', 'status', 'notes', 'tagIds'];
  const { shape } = configurationData[resource];
  const required = Object.entries(shape).filter(([, field]) => !field.isOptional());
  return ['id', ...required.map(([name]) => name)];
}

const validators = new Map<StoredResource, ValidateFunction>();
function validatorOf(resource: StoredResource): ValidateFunction {
  const name = `${pascalCase(singularNames[resource].replace(' ', '-'))}Record`;
  const known = validators.get(resource) ?? ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
  validators.set(resource, known);
  return known;
}

/** A value without blocks of unknown types, which are passed on as they are. */
function withoutUnknownBlocks(value: unknown): unknown {
  if (Array.isArray(value))
    return value.filter((one) => (one as Row | null)?.type !== 'sticker').map(withoutUnknownBlocks);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutUnknownBlocks(inner)]),
  );
}

/** Requires every promised field, and that each field is of its type. */
function requireType(resource: StoredResource, record: Row): void {
  const validate = validatorOf(resource);
  validate(withoutUnknownBlocks(record));
  const promised = promisedFields(resource);
  const isMissing = ({ keyword, params }: ErrorObject): boolean =>
    promised.includes(String((params as { missingProperty?: string }).missingProperty)) ||
    keyword !== 'required';
  const problem = (validate.errors ?? []).find((error) => error.instancePath !== '' || isMissing(error));
  require(problem ===
    undefined, `a record of ${resource} is not of its type: ${problem?.instancePath} ${problem?.message}`);
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Whether a value shows what is stored. It may have more fields, and the other letter case of ids. */
function shows(shown: unknown, stored: unknown): boolean {
  if (stored === null || stored === undefined) return shown === null || shown === undefined;
  if (typeof stored === 'string' && uuid.test(stored)) return stored === String(shown).toLowerCase();
  if (typeof stored !== 'object') return shown === stored;
  if (typeof shown !== 'object' || shown === null) return false;
  if (Array.isArray(stored) && (shown as readonly unknown[]).length !== stored.length) return false;
  return Object.entries(stored).every(([name, inner]) => shows((shown as Row)[name], inner));
}

/** Requires that a record has the identity of what is stored. */
export function requireIdentity(record: Row | null | undefined, { identity }: Stored): void {
  require(record !== null && record !== undefined, 'there is no record');
  require(shows(record, identity), `another record: ${JSON.stringify(record).slice(0, 100)}`);
}

/** Requires that a record is of its type, and shows what is stored. */
export function requireRecord(
  resource: StoredResource,
  record: Row | null | undefined,
  stored: Stored,
): void {
  requireIdentity(record, stored);
  requireType(resource, record as Row);
  const wrong = Object.entries(stored.data).find(([name, value]) => !shows((record as Row)[name], value));
  require(wrong === undefined, `${resource} ${wrong?.[0]} is not what is stored`);
}

/** Data as text, the same for data that mean the same: null, the default and the letter case of ids are left out. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (name, inner: unknown) => {
    if (inner === null || (name === 'timingMode' && inner === 'relative')) return undefined;
    if (typeof inner === 'string' && uuid.test(inner)) return inner.toLowerCase();
    if (typeof inner !== 'object' || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner as object).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Requires that a server stores these data. */
export function requireStored({ data, label }: Stored, expected: Data): void {
  require(canonical(data) ===
    canonical(
      expected,
    ), `"${label}" has other data: ${canonical(data)} instead of ${canonical(expected)}`.slice(0, 400));
}
