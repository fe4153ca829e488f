import { usage } from '../failure.ts';

export const effects = [
  'drop-request',
  'lose-response',
  'cut-response',
  'delay',
  'respond',
  'uncertain',
  'skip-audit',
  'rival-edit',
] as const;

const numbers = ['after', 'times', 'delayMs', 'status', 'answer'];
const booleans = ['applied', 'undeclared'];
const texts = ['operation', 'action', 'resource', 'key', 'error', 'retryAfter'];

/** Names that a fault takes beside its effect. */
export const faultSettings: readonly string[] = [...texts, ...numbers, ...booleans, 'resolve'];

const hint = `Write it as EFFECT[,name=value…]: lose-response,action=create-tags,times=2. Effects: ${effects.join(', ')}.`;

function resolveOf(value: string): unknown {
  if (value === 'never') return value;
  const [, kind = '', amount] = /^(afterRequests|afterMs):(\d+)$/.exec(value) ?? [];
  if (amount === undefined)
    throw usage(`resolve=${value} is not known.`, 'It is never, afterRequests:N or afterMs:N.');
  return { [kind]: Number(amount) };
}

function settingValue(name: string, value: string): unknown {
  if (numbers.includes(name)) {
    if (/^\d+$/.test(value)) return Number(value);
    throw usage(`${name}=${value} is no number.`, hint);
  }
  if (booleans.includes(name)) {
    if (value === 'true' || value === 'false') return value === 'true';
    throw usage(`${name}=${value} is neither true nor false.`, hint);
  }
  if (name === 'resolve') return resolveOf(value);
  if (texts.includes(name)) return value;
  throw usage(
    `A fault has no "${name}".`,
    `It has: ${[...texts, ...numbers, ...booleans, 'resolve'].join(', ')}.`,
  );
}

/** `lose-response,action=create-tags,times=2` or the JSON of a fault. */
export function parseFault(words: readonly string[]): Record<string, unknown> {
  const text = words.join(',');
  if (text.trim().startsWith('{')) return parseJson(words.join(' '));
  const [effect = '', ...settings] = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (!effects.some((known) => known === effect)) throw usage(`There is no fault "${effect}".`, hint);
  const fault: Record<string, unknown> = { effect };
  for (const setting of settings) {
    const cut = setting.indexOf('=');
    if (cut < 1) throw usage(`"${setting}" says nothing of a fault.`, hint);
    const name = setting.slice(0, cut);
    fault[name] = settingValue(name, setting.slice(cut + 1));
  }
  return fault;
}

function parseJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Said below.
  }
  throw usage('The fault is no JSON object.', hint);
}
