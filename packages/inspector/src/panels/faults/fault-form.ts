import { faultEffects, faultFields } from '@orgchat/spec/fault-fields';
import type { FaultInput } from '../../control-api/types.ts';

export type Effect = keyof typeof faultEffects;
type Fields = typeof faultFields;
export type Field = keyof Fields;

export const effectNames = Object.keys(faultEffects) as Effect[];
const fieldNames = Object.keys(faultFields) as Field[];

/** The fields that only some effects have. */
const ownFields = new Set<Field>(Object.values(faultEffects).flatMap(({ fields }) => fields));
/** The fields that every fault has: which requests it hits, and how often. */
export const commonFields = fieldNames.filter((name) => !ownFields.has(name));

/** The fields of a way to write them. */
export type FieldOf<Type extends Fields[Field]> = {
  [Name in Field]: Fields[Name] extends Type ? Name : never;
}[Field];

/** What a person typed, by field. Empty texts are left to the mock. */
export type FaultForm = Readonly<
  { effect: Effect; delayMaxMs: string; resolveAfter: string } & Record<FieldOf<'boolean'>, boolean> &
    Record<Exclude<Field, FieldOf<'boolean'>>, string>
>;

export const emptyForm: FaultForm = {
  ...(Object.fromEntries(
    fieldNames.map((name) => [name, faultFields[name] === 'boolean' ? false : '']),
  ) as unknown as FaultForm),
  effect: 'lose-response',
  delayMs: '2000',
  delayMaxMs: '',
  applied: true,
  status: '503',
  resolve: 'never',
  resolveAfter: '2',
};

/** A number if the text is one. Anything else is sent as it is: the mock says what is wrong with it. */
const toNumber = (text: string): number | string => {
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? text.trim() : number;
};

/** The fault that a form describes. The mock validates it. */
export function toFault(form: FaultForm): object {
  const { effect } = form;
  const fields = [...commonFields, ...faultEffects[effect].fields];
  const given = fields.filter((name) => typeof form[name] === 'boolean' || form[name].trim() !== '');
  return { effect, ...Object.fromEntries(given.map((name) => [name, toValue(form, name)])) };
}

function toValue(form: FaultForm, name: Field): unknown {
  const value = form[name];
  if (typeof value === 'boolean') return value;
  switch (faultFields[name]) {
    case 'range':
      return toDelay(form);
    case 'resolution':
      return toResolve(form);
    case 'number':
    case 'count':
      return toNumber(value);
    case 'json':
      return toJson(value);
    default:
      return value;
  }
}

/** A JSON value if the text is one. Anything else is sent as it is: the mock says what is wrong with it. */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const toDelay = ({ delayMs, delayMaxMs }: FaultForm): unknown =>
  delayMaxMs.trim() === '' ? toNumber(delayMs) : { min: toNumber(delayMs), max: toNumber(delayMaxMs) };

const toResolve = ({ resolve, resolveAfter }: FaultForm): unknown =>
  resolve === 'never' ? resolve : { [resolve]: toNumber(resolveAfter) };

export interface Preset {
  readonly title: string;
  readonly fault: FaultInput;
}

/** The faults that people try first. */
export const presets: readonly Preset[] = [
  {
    title: 'Lose the next answer to a change',
    fault: { effect: 'lose-response', operation: 'changeChat' },
  },
  {
    title: 'Let somebody else edit the record first',
    fault: { effect: 'rival-edit', operation: 'changeChat' },
  },
  {
    title: 'Answer the next three requests with 429',
    fault: { effect: 'respond', operation: 'getAccount', status: 429, retryAfter: 2, times: 3 },
  },
  {
    title: 'Reset a tenth of all connections',
    fault: { effect: 'drop-request', probability: 0.1, times: 'always' },
  },
  {
    title: 'Apply the next change, answer 5 seconds later',
    fault: { effect: 'delay', operation: 'changeChat', delayMs: 5000, applied: true },
  },
  {
    title: 'Leave the next change uncertain for two requests',
    fault: { effect: 'uncertain', operation: 'changeChat', applied: true, resolve: { afterRequests: 2 } },
  },
];
