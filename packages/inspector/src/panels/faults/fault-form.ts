import type { FaultInput } from '../../control-api/types.ts';

export type Effect = FaultInput['effect'];

/** The fields that only some effects have. */
export type OwnField = 'delay' | 'applied' | 'respond' | 'uncertain';

/** The fields that each effect has of its own. The compiler asks for every effect of the contract. */
export const ownFields: Readonly<Record<Effect, readonly OwnField[]>> = {
  'lose-response': [],
  'cut-response': [],
  'drop-request': [],
  delay: ['delay', 'applied'],
  respond: ['respond'],
  uncertain: ['applied', 'uncertain'],
  'rival-edit': [],
  'skip-audit': [],
};

export const effectNames = Object.keys(ownFields) as Effect[];

/** What a person typed. Empty texts are left to the mock. */
export interface FaultForm {
  readonly effect: Effect;
  readonly operation: string;
  readonly action: string;
  readonly resource: string;
  readonly key: string;
  readonly after: string;
  readonly times: string;
  readonly probability: string;
  readonly delayMs: string;
  readonly delayMaxMs: string;
  readonly applied: boolean;
  readonly status: string;
  readonly error: string;
  readonly retryAfter: string;
  readonly undeclared: boolean;
  readonly answer: string;
  readonly resolve: string;
  readonly resolveAfter: string;
}

export const emptyForm: FaultForm = {
  effect: 'lose-response',
  operation: '',
  action: '',
  resource: '',
  key: '',
  after: '',
  times: '',
  probability: '',
  delayMs: '2000',
  delayMaxMs: '',
  applied: true,
  status: '503',
  error: '',
  retryAfter: '',
  undeclared: false,
  answer: '',
  resolve: 'never',
  resolveAfter: '2',
};

/** A number if the text is one. Anything else is sent as it is: the mock says what is wrong with it. */
const toNumber = (text: string): number | string => {
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? text.trim() : number;
};

/** The fields that have a value. */
const given = (fields: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text.trim() !== ''));

const numbers = (fields: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given(fields)).map(([name, text]) => [name, toNumber(String(text))]));

/** The fault that a form describes. The mock validates it. */
export function toFault(form: FaultForm): object {
  const { effect, operation, action, resource, key, after, times, probability } = form;
  const own = ownFields[effect];
  return {
    effect,
    ...given({ operation, action, resource, key }),
    ...numbers({ after, times, probability }),
    ...(own.includes('delay') && { delayMs: toDelay(form) }),
    ...(own.includes('applied') && { applied: form.applied }),
    ...(own.includes('respond') && {
      ...numbers({ status: form.status, retryAfter: form.retryAfter }),
      ...given({ error: form.error }),
      ...(form.undeclared && { undeclared: true }),
    }),
    ...(own.includes('uncertain') && { ...numbers({ answer: form.answer }), resolve: toResolve(form) }),
  };
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
