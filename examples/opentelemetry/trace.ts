import { subscribe } from 'node:diagnostics_channel';
import { context, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { ClientEvent } from '@orgchat/sdk';

/**
 * Creates a span for each call of any client in this process, with one below it for each attempt. The SDK sends no
 * telemetry: it publishes events on the diagnostics channel `orgchat`, and this function subscribes to them.
 */
export function traceCalls(tracer: Tracer): void {
  const spans = new Map<number, Span>();
  subscribe('orgchat', (message) => {
    const event = message as ClientEvent;
    if (event.type === 'journal') return;
    if (event.type === 'fleet') {
      // An event of a store of @orgchat/fleet belongs to no call, so it is a span of its own, without a duration.
      const attributes = { 'orgchat.store': event.store, 'orgchat.operation_id': event.operationId ?? '' };
      tracer.startSpan(`orgchat fleet ${event.event}`, { attributes }).end();
      return;
    }
    if (event.type === 'request') {
      const attributes = {
        'http.request.method': event.method,
        'url.path': event.path,
        'orgchat.subject': event.subject ?? '',
        'orgchat.operation_id': event.operationId ?? '',
      };
      spans.set(
        event.callId,
        tracer.startSpan(`orgchat ${event.operation}`, { kind: SpanKind.CLIENT, attributes }),
      );
      return;
    }
    const span = spans.get(event.callId);
    if (span === undefined) return;
    if (event.type === 'wait') span.addEvent(`wait for ${event.reason}`, { ms: event.ms });
    if (event.type === 'attempt') {
      const startTime = Date.now() - event.durationMs;
      const attributes = { 'http.response.status_code': event.status ?? 0, 'orgchat.answer': event.answer };
      tracer
        .startSpan(
          `attempt ${event.attempt}`,
          { startTime, attributes },
          trace.setSpan(context.active(), span),
        )
        .end();
    }
    if (event.type === 'outcome') {
      span.setAttribute('orgchat.outcome', event.outcome);
      if (event.errorCode !== undefined)
        span.setStatus({ code: SpanStatusCode.ERROR, message: event.errorCode });
      span.end();
      spans.delete(event.callId);
    }
  });
}
