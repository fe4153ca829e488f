import { basePath, contractVersion, limits, openapiYaml } from '@orgchat/spec';
import { tell } from './answers.ts';
import { controlBodyLimit, handleControl } from './control/handle.ts';
import { durably } from './durable/durably.ts';
import type { Keeper } from './durable/keeper.ts';
import type { Member } from './family.ts';
import { languageOf } from './language.ts';
import type { Outcome, PlainRequest, PlainResponse } from './message.ts';
import { notForPages } from './page-headers.ts';
import { handle } from './pipeline.ts';
import { demoKeys } from './seed/demo.ts';

export const controlPath = '/_mock';
export const sandboxPath = '/_sandbox';

const apiPrefix = `${basePath}/`;

/**
 * Finds whose a path is, the mock's or a sandbox's, and answers it there; where data is kept in a file, once it is
 * written there.
 */
export function dispatch(
  mock: Member,
  request: PlainRequest,
  keeper: Keeper | undefined,
  path = request.path,
): Outcome | Promise<Outcome> {
  if (path.startsWith(`${sandboxPath}/`)) {
    const [id = ''] = path.slice(sandboxPath.length + 1).split('/', 1);
    const sandbox = mock.sandboxes.get(id);
    if (sandbox !== undefined)
      return dispatch(sandbox, request, keeper, path.slice(sandboxPath.length + 1 + id.length));
  }
  if (keeper === undefined) return tell(serve(mock, request, path), request, path, mock.id);
  const outcome = durably(
    keeper,
    () => serve(mock, request, path),
    (answer, error) => refuseUnwritten(mock, request, keeper, answer.response, error),
  );
  if (!(outcome instanceof Promise)) return tell(outcome, request, path, mock.id);
  return outcome.then((written) => tell(written, request, path, mock.id));
}

/** The answer to what could not be written: 500, which leaves the outcome of a change unknown, as it is. */
function refuseUnwritten(
  { world }: Member,
  request: PlainRequest,
  keeper: Keeper,
  { headers }: PlainResponse,
  error: unknown,
): Outcome {
  if (keeper.noteFailure()) world.rules.onError(error);
  const requestId = headers['X-Request-Id'] ?? '';
  world.journal.noteUnwritten(requestId, world.rules.codeOf('INTERNAL_ERROR'));
  const message = unwrittenMessage[languageOf(request.header('accept-language'))];
  const body = JSON.stringify({
    error: world.rules.codeOf('INTERNAL_ERROR'),
    message: `${message} ${(error as Error).message}`,
  });
  const response = {
    status: 500,
    headers: { 'Content-Type': 'application/json', 'X-Request-Id': requestId },
    body,
  };
  return { kind: 'answer', undeclared: true, response };
}

const unwrittenMessage = {
  en: 'The mock server could not write its data file, so the outcome is not confirmed.',
  ja: 'モックサーバーがデータファイルに書き込めなかったため、結果を確認できません。',
} as const;

/** The most bytes of the body of a request that are worth keeping. */
export function bodyLimit(request: PlainRequest): number {
  const { path } = request;
  if (!path.startsWith(`${controlPath}/`) && !path.startsWith(`${sandboxPath}/`)) return limits.bodyBytes;
  const control = path.lastIndexOf(`${controlPath}/`);
  if (control < 0) return limits.bodyBytes;
  return controlBodyLimit(request, path.slice(control + controlPath.length));
}

/** Finds what a path belongs to: the API, its control, or what tells about them. */
function serve(mock: Member, request: PlainRequest, path: string): Outcome {
  if (path.startsWith(apiPrefix)) return handle(mock.world, request, path.slice(basePath.length));
  if (path.startsWith(`${controlPath}/`)) {
    return handleControl(mock, request, path.slice(controlPath.length), mock.nextRequestId());
  }
  if (path === '/openapi.yaml' && request.method === 'GET') {
    return text(mock, 'application/yaml; charset=utf-8', openapiYaml);
  }
  if ((path === '/' || path === '') && request.method === 'GET') {
    return text(mock, 'application/json', JSON.stringify(about(mock, request.origin()), null, 2));
  }
  // What is no path of the API is refused as it refuses an unknown one, also where the rest of it would be known.
  return handle(mock.world, request, path, false);
}

function text(mock: Member, type: string, body: string): Outcome {
  const headers = { 'Content-Type': type, 'X-Request-Id': mock.nextRequestId(), ...notForPages };
  return { kind: 'answer', response: { status: 200, headers, body } };
}

/** What runs here, and where to go from here. */
function about(mock: Member, origin: string): unknown {
  const { baseUrl } = mock.addresses(origin);
  const key = mock.world.keys.get(demoKeys.write)?.key ?? 'KEY';
  return {
    name: 'orgchat mock server',
    contract: contractVersion,
    ...mock.addresses(origin),
    openapi: `${origin}/openapi.yaml`,
    keys: mock.world.listKeys().map(({ name, scope }) => ({ name, scope })),
    tryThis: `curl -H 'Authorization: Bearer ${key}' ${baseUrl}/me`,
  };
}
