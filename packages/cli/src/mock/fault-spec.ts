import { faultEffects, faultFields } from '@orgchat/spec/fault-fields';
import { isObject } from '@orgchat/spec/is-object';
import { usageError } from '../errors/cli-error.ts';
import { parseJson, RepeatedKeyError } from '../input/json.ts';

/** The names of the effects. */
export const effectNames: readonly string[] = Object.keys(faultEffects);

/** The fields that a fault has beside its effect. */
export const faultFieldNames: readonly string[] = Object.keys(faultFields);

/** What each effect does, with the fields that only it has, and the fields that all faults have. */
export function describeFaults(): string {
  const width = Math.max(...effectNames.map((name) => name.length));
  const own = new Set<string>();
  const lines = Object.entries(faultEffects).map(([name, { about, fields }]) => {
    for (const field of fields) own.add(field);
    const suffix = fields.length === 0 ? '' : ` Fields: ${fields.join(', ')}.`;
    return `  ${name.padEnd(width)}  ${about}${suffix}`;
  });
  const common = faultFieldNames.filter((name) => !own.has(name));
  return ['Effects:', ...lines, '', `Fields of all faults: ${common.join(', ')}`].join('\n');
}

const hint = `Write it as EFFECT[,name=value…]: lose-response,action=create-tags,times=2. Effects: ${effectNames.join(', ')}.`;

const isField = (name: string): name is keyof typeof faultFields => Object.hasOwn(faultFields, name);

function parseResolution(name: string, value: string): unknown {
  if (value === 'never') return value;
  const [, kind = '', amount] = /^(afterRequests|afterMs):(\d+)$/.exec(value) ?? [];
  if (amount !== undefined) return { [kind]: Number(amount) };
  throw usageError(`${name} must be never, afterRequests:N or afterMs:N, got "${value}".`, hint);
}

/** `100` or `100..500`. */
function parseRange(name: string, value: string): unknown {
  const [, min, max] = /^(\d+)(?:\.\.(\d+))?$/.exec(value) ?? [];
  if (min === undefined) throw usageError(`${name} must be N or MIN..MAX, got "${value}".`, hint);
  return max === undefined ? Number(min) : { min: Number(min), max: Number(max) };
}

function parseCount(name: string, value: string): unknown {
  if (value === 'always') return value;
  if (/^\d+$/.test(value)) return Number(value);
  throw usageError(`${name} must be a number or always, got "${value}".`, hint);
}

function parseField(name: string, value: string): unknown {
  if (!isField(name)) {
    throw usageError(`Unknown fault field "${name}".`, `Known fields: ${faultFieldNames.join(', ')}.`);
  }
  switch (faultFields[name]) {
    case 'text':
      return value;
    case 'number':
      if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value);
      throw usageError(`${name} must be a number, got "${value}".`, hint);
    case 'range':
      return parseRange(name, value);
    case 'count':
      return parseCount(name, value);
    case 'boolean':
      if (value === 'true' || value === 'false') return value === 'true';
      throw usageError(`${name} must be true or false, got "${value}".`, hint);
    case 'resolution':
      return parseResolution(name, value);
    case 'json':
      return parseObject(value, name);
  }
}

/** `lose-response,action=create-tags,times=2` or the JSON of a fault. */
export function parseFault(words: readonly string[]): Record<string, unknown> {
  const text = words.join(',');
  if (text.trim().startsWith('{')) return parseObject(words.join(' '));
  const [effect = '', ...fields] = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (!effectNames.includes(effect)) throw usageError(`Unknown fault effect "${effect}".`, hint);
  const fault: Record<string, unknown> = { effect };
  for (const field of fields) {
    const separator = field.indexOf('=');
    if (separator < 1) throw usageError(`Expected name=value, got "${field}".`, hint);
    const name = field.slice(0, separator);
    if (Object.hasOwn(fault, name)) throw usageError(`${name} is set twice.`, hint);
    fault[name] = parseField(name, field.slice(separator + 1));
  }
  return fault;
}

function parseObject(text: string, what = 'The fault'): Record<string, unknown> {
  try {
    const value = parseJson(text);
    if (isObject(value)) return { ...value };
  } catch (error) {
    if (error instanceof RepeatedKeyError) throw usageError(`${what} is not valid: ${error.message}.`, hint);
    // The error below says what is wrong.
  }
  throw usageError(`${what} is not a JSON object.`, hint);
}
