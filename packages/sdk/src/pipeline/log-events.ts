import type { ClientEvent } from '../events.ts';

/** Where a client logs: `console` and most loggers fit. The event has no key, headers or bodies. */
export interface Logger {
  debug(message: string, event: ClientEvent): void;
  info(message: string, event: ClientEvent): void;
  warn(message: string, event: ClientEvent): void;
}

/** Writes to stderr what `ORGCHAT_LOG` asks for: `info` for one line per call, `debug` for every step of it. */
export function createEnvironmentLogger(level: string | undefined): Logger {
  const write = (message: string): void => console.error(message);
  return { debug: level === 'debug' ? write : () => undefined, info: write, warn: write };
}

/** Logs an event: outcomes as `info`, what was lost or could not be recorded as `warn`, the rest as `debug`. */
export function logEvent(logger: Logger, event: ClientEvent): void {
  if (event.type === 'journal') {
    logger.warn(`orgchat: journal ${event.problem.location}: ${event.problem.message}`, event);
    return;
  }
  const { type, method, path, subject, operationId, ...facts } = event;
  const what = [method, path, subject].filter(Boolean).join(' ');
  const details = Object.entries({ ...facts, operationId })
    .filter(([name, value]) => value !== undefined && !['callId', 'operation'].includes(name))
    .map(([name, value]) => `${name}=${typeof value === 'number' ? Math.round(value) : value}`)
    .join(' ');
  const isUnknown = type === 'outcome' && event.outcome === 'unknown';
  logger[isUnknown ? 'warn' : type === 'outcome' ? 'info' : 'debug'](
    `orgchat: ${event.callId} ${what}: ${type} ${details}`.trimEnd(),
    event,
  );
}
