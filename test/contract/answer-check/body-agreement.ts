import { createMock, demoKeys, demoSeed, type Mock } from '@orgchat/mock-server';
import type { ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { mutated, valid } from '../../../spec/test-support/bodies.ts';
import { document, type Schema, validator } from '../../../spec/test-support/document.ts';

/** An operation with a request body, and the document's schema of that body. */
export interface OperationWithBody {
  readonly name: string;
  readonly path: string;
  readonly schema: Schema;
  readonly accepts: ValidateFunction;
}

export const operationsWithBody: readonly OperationWithBody[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.values(methods).flatMap(({ operationId, requestBody }) => {
      const schema = requestBody?.content['application/json'].schema;
      if (schema?.$ref === undefined) return [];
      const concrete = path.replace('{siteId}', 'demo-site');
      return [{ name: operationId, path: concrete, schema, accepts: validator(schema.$ref) }];
    }),
);

/** Counts by answer. The comparison is only useful if both occur. */
export interface Tally {
  accepted: number;
  refused: number;
  /** Known exceptions (D16): cursors that were not issued, keyword totals, and a body past the limit of D8. */
  excepted: number;
}

const bodyLimit = 16 * 1024 * 1024;
/** The mock is reset after this number of bodies, so that memory stays small in long runs. */
const bodiesAState = 2_000;

interface Answer {
  readonly status: number;
  readonly error?: string;
}

/** A Studio read without its cursor, which was never issued. Undefined if it has no cursor. */
function withoutCursor(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('cursor' in body)) return undefined;
  const { cursor: _, ...others } = body;
  return JSON.stringify(others);
}

/**
 * Sends `numRuns` generated bodies of one operation to a mock and fails, minimal and with its seed, on the first
 * which one accepts and the other rejects. 404 and 409 count as accepted.
 */
export async function compareBodies(
  operation: OperationWithBody,
  numRuns: number,
  seed?: number,
): Promise<Tally> {
  const { name, path, schema, accepts } = operation;
  const tally: Tally = { accepted: 0, refused: 0, excepted: 0 };
  const mock: Mock = createMock({ rateLimit: 'off', monthlyLimit: 'off', seed: demoSeed, requestLogSize: 1 });
  let sent = 0;
  const send = async (text: string): Promise<Answer> => {
    if (++sent % bodiesAState === 0) mock.reset();
    const response = await mock.fetch(`${mock.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demoKeys.write}`, 'content-type': 'application/json' },
      body: text,
    });
    const { error } = (await response.json()) as { error?: string };
    return { status: response.status, ...(error !== undefined && { error }) };
  };
  /** Bodies that the document accepts and the server may reject. Without its cursor, both must accept a body. */
  const isException = async (
    on: string,
    body: unknown,
    text: string,
    { error }: Answer,
  ): Promise<boolean> => {
    if (error === 'KEYWORD_LIMIT_EXCEEDED' || Buffer.byteLength(text) > bodyLimit) return true;
    const bare = on === 'readStudio' ? withoutCursor(body) : undefined;
    return bare !== undefined && (await send(bare)).status !== 400;
  };
  const bodies = fc.oneof(valid(schema), mutated(valid(schema)));
  const property = fc.asyncProperty(bodies, async (body) => {
    const text = JSON.stringify(body ?? null);
    // As the server receives it: JSON drops undefined values.
    const received: unknown = JSON.parse(text);
    const byDocument = accepts(received);
    const answer = await send(text);
    const byServer = answer.status !== 400;
    if (byDocument === byServer) tally[byServer ? 'accepted' : 'refused']++;
    else if (byDocument && (await isException(name, received, text, answer))) tally.excepted++;
    else {
      const [judgement, reason] = [byDocument ? 'accepts' : 'refuses', JSON.stringify(accepts.errors)];
      throw new Error(
        `The document ${judgement} it (${reason}), the server answers ${answer.status}: ${text}`,
      );
    }
  });
  await fc.assert(property, { numRuns, ...(seed !== undefined && { seed }) });
  return tally;
}
