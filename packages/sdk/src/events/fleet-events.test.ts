import { channel } from 'node:diagnostics_channel';
import { expect, test } from 'vitest';
import { type ClientEvent, createClient, type FleetEvent, type Logger } from '../index.ts';

const options = { apiKey: 'key', baseUrl: 'https://example.com' };
const down: FleetEvent = { type: 'fleet', event: 'store-down', store: 'postgresJournal' };

test('events of a store reach a listener and a logger once, however many clients share them', async () => {
  const events: ClientEvent[] = [];
  const lines: string[] = [];
  const onEvent = (event: ClientEvent): void => void events.push(event);
  const write = (line: string): void => void lines.push(line);
  const logger: Logger = { debug: write, info: write, warn: write };
  const clients = [createClient({ ...options, onEvent, logger }), createClient({ ...options, onEvent })];
  clients.push(...clients.map((client) => client.with({ logger })));
  channel('orgchat.fleet').publish(down);
  expect(events).toEqual([down]);
  expect(lines).toEqual(['orgchat: fleet store-down store=postgresJournal']);
});

test('a listener that fails does not affect the store or other listeners', async () => {
  const events: ClientEvent[] = [];
  const listeners = [
    () => {
      throw new Error('mine');
    },
    () => Promise.reject(new Error('mine')),
    (event: ClientEvent): void => void events.push(event),
  ];
  const clients = listeners.map((onEvent) => createClient({ ...options, onEvent }));
  channel('orgchat.fleet').publish(down);
  // Node reports an unhandled rejection after the microtasks, before the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  expect(events).toEqual([down]);
  expect(clients).toHaveLength(3);
});
