import type { ClientEvent, FleetEvent } from './events.ts';

/** Where a client logs: `console` and most loggers fit. The event has no key, headers or bodies. */
export interface Logger {
  /**
   * Gets one line for each step of a call.
   *
   * @example
   * const { info, warn } = console;
   * createClient({ logger: { debug: (line, event) => console.log(line, event.type), info, warn } });
   */
  debug(message: string, event: ClientEvent): void;
  /**
   * Gets one line for each call, when it ends, and for what a store of `@orgchat/fleet` has again or removed.
   *
   * @example
   * const { debug, warn } = console;
   * createClient({ logger: { debug, info: (line) => console.log(`orgchat ${line}`), warn } });
   */
  info(message: string, event: ClientEvent): void;
  /**
   * Gets unknown outcomes, problems of the journal, and what a store of `@orgchat/fleet` lost.
   *
   * @example
   * const { debug, info } = console;
   * createClient({ logger: { debug, info, warn: (line) => console.error('look at this:', line) } });
   */
  warn(message: string, event: ClientEvent): void;
}

const write = (message: string): void => console.error(message);

/** Write to stderr what `ORGCHAT_LOG` asks for: `info` for one line per call, `debug` for every step of it. */
export const environmentLoggers: Readonly<Record<'info' | 'debug', Logger>> = {
  info: { debug: () => undefined, info: write, warn: write },
  debug: { debug: write, info: write, warn: write },
};

/** Characters that a terminal or a log reader may take for the end of a line or for a command. */
const controlCharacters = /[\p{Cc}\u2028\u2029]/gu;

/** Returns a text on one line, with control characters as JSON escapes them. */
function toOneLine(text: string): string {
  return text.replace(controlCharacters, escapeCharacter);
}

function escapeCharacter(char: string): string {
  const escaped = JSON.stringify(char).slice(1, -1);
  return escaped === char ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : escaped;
}

/** Returns a value as it is logged: quoted unless it is one plain word. Codes and ids may come from the server. */
function formatValue(value: unknown): string {
  if (typeof value === 'number') return `${Math.round(value)}`;
  const text = String(value);
  return /^[\w.:/-]+$/.test(text) ? text : toOneLine(JSON.stringify(text));
}

/** As what a store's event is logged. */
const fleetLevels: Readonly<Record<FleetEvent['event'], 'info' | 'warn'>> = {
  'taken-over': 'warn',
  'hold-lost': 'warn',
  'lock-lost': 'warn',
  'lock-regained': 'info',
  'store-down': 'warn',
  'store-up': 'info',
  cleaned: 'info',
};

/** Logs an event: outcomes as `info`, what was lost or could not be recorded as `warn`, the rest as `debug`. */
export function logEvent(logger: Logger, event: ClientEvent): void {
  if (event.type === 'journal') {
    const { location, message } = event.problem;
    logger.warn(toOneLine(`orgchat: journal ${location}: ${message}`), event);
    return;
  }
  if (event.type === 'fleet') {
    const { event: what, store, operationId } = event;
    const operation = operationId === undefined ? '' : ` operationId=${formatValue(operationId)}`;
    logger[fleetLevels[what]](`orgchat: fleet ${what} store=${formatValue(store)}${operation}`, event);
    return;
  }
  const { type, method, path, subject, operationId, ...facts } = event;
  const what = [method, path, subject && formatValue(subject)].filter(Boolean).join(' ');
  const details = Object.entries({ ...facts, operationId })
    .filter(([name, value]) => value !== undefined && !['callId', 'operation'].includes(name))
    .map(([name, value]) => `${name}=${formatValue(value)}`)
    .join(' ');
  const isUnknown = type === 'outcome' && event.outcome === 'unknown';
  logger[isUnknown ? 'warn' : type === 'outcome' ? 'info' : 'debug'](
    `orgchat: ${event.callId} ${what}: ${type} ${details}`.trimEnd(),
    event,
  );
}
