import { expect, test } from 'vitest';
import { getRejection } from '../../test-support/rejection.ts';
import { failure, scripted } from '../../test-support/servers/scripted.ts';
import type { ClientEvent } from '../index.ts';
import { logEvent } from './log-events.ts';

/** The lines that an event is logged as. */
function toLines(event: ClientEvent): string[] {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  logEvent({ debug: write, info: write, warn: write }, event);
  return lines;
}

test.each([
  [
    'A\norgchat: 7 POST /chat/changes: outcome=applied',
    '"A\\norgchat: 7 POST /chat/changes: outcome=applied"',
  ],
  ['A\u001b[2K', '"A\\u001b[2K"'],
  ['A\u0085B\u2028C', '"A\\u0085B\\u2028C"'],
  ['A status=200', '"A status=200"'],
  ['A"B', '"A\\"B"'],
  ['', '""'],
  ['RATE_LIMITED', 'RATE_LIMITED'],
])('the code %j of a server stays one value of one line', async (code, shown) => {
  const events: ClientEvent[] = [];
  const { client } = scripted([failure(400, code)], { onEvent: (event) => events.push(event) });
  await getRejection(client.account());
  const lines = events.flatMap(toLines);
  expect(lines).toHaveLength(events.length);
  expect(lines.at(-1)).toContain(` errorCode=${shown} `);
  expect(lines.join('')).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
});

test('an action with a line break is quoted', async () => {
  const events: ClientEvent[] = [];
  const { client } = scripted([failure(400, 'INVALID_INPUT')], { onEvent: (event) => events.push(event) });
  await getRejection(client.changeChat({ action: 'a\nb' } as never));
  for (const line of events.flatMap(toLines)) expect(line).toContain('POST /chat/changes "a\\nb": ');
});

test('a problem of the journal is one line', () => {
  const message = 'disk full\r\norgchat: 1 GET /me: outcome outcome=applied';
  const problem = { location: 'a\nb', reason: 'write', message } as const;
  expect(toLines({ type: 'journal', problem })).toEqual([
    'orgchat: journal a\\nb: disk full\\r\\norgchat: 1 GET /me: outcome outcome=applied',
  ]);
});

test.each([
  ['lock-lost', 'warn'],
  ['store-down', 'warn'],
  ['hold-lost', 'warn'],
  ['taken-over', 'warn'],
  ['lock-regained', 'info'],
  ['store-up', 'info'],
  ['cleaned', 'info'],
] as const)('the event %s of a store is one line, as %s', (event, level) => {
  const lines: string[] = [];
  const write = (name: string) => (line: string) => void lines.push(`${name} ${line}`);
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn') };
  logEvent(logger, { type: 'fleet', event, store: 'postgresJournal', operationId: 'a\nb' });
  expect(lines).toEqual([`${level} orgchat: fleet ${event} store=postgresJournal operationId="a\\nb"`]);
});
