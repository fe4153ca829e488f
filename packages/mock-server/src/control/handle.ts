import type { Outcome, PlainRequest, PlainResponse } from '../message.ts';
import type { Mock } from '../mock.ts';
import { Refusal } from '../refusal.ts';
import { SeedError } from '../seed/error.ts';
import { Body } from '../steps/body.ts';
import { guardControl } from './guard.ts';
import { ControlError, notFound } from './input.ts';
import { type ControlRoute, controlRoutes } from './routes.ts';

interface Found {
  readonly route: ControlRoute;
  readonly parameters: readonly string[];
}

const patterns = controlRoutes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '([^/]+)')}$`),
}));

function find(method: string, path: string): Found {
  const fitting = patterns.filter(({ pattern }) => pattern.test(path));
  const chosen = fitting.find(({ route }) => route.method === method);
  if (chosen !== undefined) {
    const parameters = (chosen.pattern.exec(path) ?? []).slice(1).map(decode);
    return { route: chosen.route, parameters };
  }
  if (fitting.length === 0) throw notFound(`control call ${path}`);
  const allowed = fitting.map(({ route }) => route.method).join(', ');
  throw new ControlError(405, 'METHOD_NOT_ALLOWED', `Use ${allowed}.`);
}

function decode(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    throw notFound(`control call with ${piece}`);
  }
}

/** A call of the control API; what it refuses is said in the error body of the API. */
export function handleControl(mock: Mock, request: PlainRequest, path: string, requestId: string): Outcome {
  const headers = { 'Content-Type': 'application/json', 'X-Request-Id': requestId };
  const answer = (status: number, value: unknown): Outcome => ({
    kind: 'answer',
    response: { status, headers, body: JSON.stringify(value) } satisfies PlainResponse,
  });
  try {
    guardControl(request);
    const { route, parameters } = find(request.method, path);
    const empty = typeof request.body === 'string' ? request.body === '' : request.body.byteLength === 0;
    const body = empty || route.method === 'GET' ? {} : new Body(request).read();
    return answer(route.status ?? 200, route.run(mock, { parameters, body, request }));
  } catch (thrown) {
    if (thrown instanceof ControlError) {
      return answer(thrown.status, { error: thrown.code, message: thrown.message, ...thrown.extra });
    }
    if (thrown instanceof SeedError) return answer(400, { error: 'INVALID_INPUT', message: thrown.message });
    if (thrown instanceof Refusal) {
      return answer(thrown.status, { error: thrown.code, message: thrown.message('en') });
    }
    throw thrown;
  }
}
