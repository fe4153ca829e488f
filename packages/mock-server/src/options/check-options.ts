import { formatNumber, maxHistory } from '../mock-limits.ts';
import { onDeleteModes } from '../records/on-delete.ts';
import { type FileMockOptions, MockOptionsError } from './options.ts';

/** What an option must be; undefined if any value is checked elsewhere. */
interface OptionRule {
  readonly must: string;
  readonly accepts: (value: unknown) => boolean;
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isFunction = (value: unknown): boolean => typeof value === 'function';

const aFunction: OptionRule = { must: 'a function', accepts: isFunction };
const aCount = (what: string): OptionRule => ({
  must: `a whole number of ${what}, 0 or more`,
  accepts: isCount,
});
const aLimit = (what: string, ...words: readonly string[]): OptionRule => ({
  must: `${words.map((word) => `"${word}"`).join(', ')} or a whole number of ${what}, 0 or more`,
  accepts: (value) => isCount(value) || words.some((word) => word === value),
});

/** Every option, with its rule. What seeds, states and descriptions of a server must be is checked where they are read. */
const optionRules: Readonly<Record<keyof FileMockOptions, OptionRule | undefined>> = {
  seed: undefined,
  state: undefined,
  server: undefined,
  randomSeed: { must: 'a whole number', accepts: Number.isSafeInteger },
  rateLimit: aLimit('requests per minute', 'off'),
  monthlyLimit: aLimit('requests per month', 'off', 'plan'),
  history: {
    must: `a whole number from 0 to ${formatNumber(maxHistory)}; with 0, no state is kept`,
    accepts: (value) => isCount(value) && Number(value) <= maxHistory,
  },
  onDelete: {
    must: `one of ${onDeleteModes.join(', ')}`,
    accepts: (value) => onDeleteModes.some((mode) => mode === value),
  },
  requireJson: { must: 'true or false', accepts: (value) => typeof value === 'boolean' },
  now: aFunction,
  sleep: aFunction,
  monotonicNow: aFunction,
  startTimer: aFunction,
  requestLogSize: aCount('requests'),
  logBytes: { ...aCount('bytes'), must: 'a whole number of bytes, 0 or more; with 0, no body is kept' },
  data: { must: 'the path of a file', accepts: (value) => typeof value === 'string' && value !== '' },
  dataAcceptLoss: { must: 'true or false', accepts: (value) => typeof value === 'boolean' },
  controlToken: {
    must: 'a text that is not empty; omit it to have a token generated when the server is reachable beyond loopback',
    accepts: (value) => typeof value === 'string' && value !== '',
  },
  onError: aFunction,
};

const isOption = (name: string): name is keyof FileMockOptions => Object.hasOwn(optionRules, name);

/**
 * Throws a `MockOptionsError` for an option that does not exist or has an invalid value. A mock in a browser lacks the
 * options `absent`.
 */
export function checkOptions(options: FileMockOptions, absent: readonly string[] = []): void {
  const names = Object.keys(optionRules).filter((name) => !absent.includes(name));
  for (const [name, value] of Object.entries(options)) {
    if (!isOption(name) || absent.includes(name))
      throw new MockOptionsError(
        `createMock has no option ${name}${absent.includes(name) ? ' in a browser' : ''}. Its options are ${names.join(', ')}.`,
      );
    const rule = optionRules[name];
    if (value === undefined || rule === undefined || rule.accepts(value)) continue;
    // A token is a secret.
    const given =
      name === 'controlToken'
        ? ''
        : ` It is ${typeof value === 'string' ? JSON.stringify(value) : String(value)}.`;
    throw new MockOptionsError(`${name} must be ${rule.must}.${given}`);
  }
}
