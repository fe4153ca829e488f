/*
 * OpenTelemetry without a plugin: events of the SDK become spans. trace.ts does it. Here they are kept in memory and
 * printed; in your own program your exporter sends them.
 *
 *   npm run example opentelemetry
 */
import { channel } from 'node:diagnostics_channel';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { createMock } from '@orgchat/mock-server';
import { createClient, type FleetEvent } from '@orgchat/sdk';
import { traceCalls } from './trace.ts';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
traceCalls(provider.getTracer('orgchat'));

const mock = createMock();
const client = createClient({
  apiKey: 'demo-write-key',
  baseUrl: mock.baseUrl,
  fetch: mock.fetch,
  retry: { baseDelayMs: 1 },
});
mock.faults.arm({ effect: 'cut-response', operation: 'changeChat' });
await client.tags.create({ name: 'Traced', color: 'orange' });
await client.tags.get('00000000-0000-0000-0000-000000000000').catch(() => undefined);

// The stores of @orgchat/fleet publish their events on the same channel. This one is made up.
channel('orgchat').publish({
  type: 'fleet',
  event: 'store-down',
  store: 'postgresJournal',
} satisfies FleetEvent);

for (const span of exporter.getFinishedSpans()) {
  const { 'orgchat.outcome': outcome, 'orgchat.answer': answer, 'orgchat.store': store } = span.attributes;
  const indent = span.parentSpanContext ? '  ' : '';
  console.log(`${indent}${span.name}: ${outcome ?? answer ?? store} ${span.status.message ?? ''}`.trimEnd());
}
