import { basePath, contractVersion } from '@orgchat/spec';
import { controlBodyLimit, handleControl, refuseControl, refuseWith } from './control/handle.ts';
import { answerAfterWrite } from './data-file/answer-after-write.ts';
import type { StateWriter } from './data-file/state-writer.ts';
import { parseAcceptLanguage } from './http/accept-language.ts';
import { answerChannel, publishAnswer } from './http/answer-channel.ts';
import {
  type AdapterAction,
  answerHeaders,
  isGetOrHead,
  type PlainRequest,
  type PlainResponse,
  sameOriginHeaders,
} from './http/message.ts';
import { notFound, sandboxGone } from './input-checks/control-error.ts';
import { isPageRequest, prefersPage, redirectToPage } from './inspector/page-requests.ts';
import { maxBodyBytes } from './mock-limits.ts';
import { handle } from './pipeline.ts';
import { truncate } from './primitives/kept-text.ts';
import { ApiError } from './request/api-error.ts';
import { outsideBaseUrl } from './request/command.ts';
import { describeGone, describeUnknown, type GoneSandbox } from './sandboxes/gone-sandboxes.ts';
import type { NodeServices, ServedMock } from './served-mock.ts';

export const controlPath = '/_mock';
export const sandboxPath = '/_sandbox';

const apiPrefix = `${basePath}/`;

/** Answers a request of any adapter. */
export const routeRequest = (
  mock: ServedMock,
  request: PlainRequest,
): AdapterAction | Promise<AdapterAction> => dispatch(mock, request, mock.services.stateWriter, request.path);

/**
 * Dispatches a request to the mock or to one of its sandboxes. With a data file, the answer waits until its changes are
 * written.
 */
function dispatch(
  mock: ServedMock,
  request: PlainRequest,
  stateWriter: StateWriter | undefined,
  path: string,
): AdapterAction | Promise<AdapterAction> {
  if (path.startsWith(`${sandboxPath}/`)) {
    const [id = ''] = path.slice(sandboxPath.length + 1).split('/', 1);
    const sandbox = mock.sandboxes.get(id);
    const rest = path.slice(sandboxPath.length + 1 + id.length);
    if (sandbox !== undefined) return dispatch(sandbox, request, stateWriter, rest);
    return publishAnswer(refuseSandbox(mock, request, path, id, rest), request, path, mock.id);
  }
  mock.lifetime?.extend();
  // Says that the server runs, which it does while it waits for a slow or full disk.
  const isWaiting = stateWriter?.isClosed === false && path === `${controlPath}/health`;
  if (stateWriter === undefined || isWaiting) {
    const action = serve(mock, request, path);
    if (!answerChannel.hasSubscribers) return action;
    if (!(action instanceof Promise)) return publishAnswer(action, request, path, mock.id);
    return action.then((answer) => publishAnswer(answer, request, path, mock.id));
  }
  const action = answerAfterWrite(
    stateWriter,
    () => serve(mock, request, path),
    (answer, error) => respondUnwritten(mock, request, stateWriter, answer.response, error),
  );
  if (!(action instanceof Promise)) return publishAnswer(action, request, path, mock.id);
  return action.then((written) => publishAnswer(written, request, path, mock.id));
}

/** Answers a request to a sandbox that is gone, or never existed here. `path` is the whole path, and `rest` what follows the id. */
function refuseSandbox(
  mock: ServedMock,
  request: PlainRequest,
  path: string,
  id: string,
  rest: string,
): AdapterAction {
  const { services } = mock;
  const gone = services.goneSandboxes.get(id);
  if (rest === controlPath || rest.startsWith(`${controlPath}/`)) {
    const error = gone === undefined ? notFound(`sandbox ${id}`, describeUnknown(id)) : sandboxGone(gone);
    return refuseWith(error, request, rest.slice(controlPath.length), services.nextRequestId());
  }
  // In process, the sandbox itself gets the request. Its log is gone, too.
  let root = mock;
  while (root.parent !== undefined) root = root.parent;
  return handle(root.world, request, path, createSandboxError(id, gone));
}

function createSandboxError(id: string, gone: GoneSandbox | undefined): ApiError {
  if (gone === undefined) {
    const cause = { reason: 'unknown-sandbox', id: truncate(id) } as const;
    return new ApiError('NOT_FOUND', cause, {
      en: describeUnknown(id),
      ja: `サンドボックス${truncate(id)}は、前回の起動以降ここに存在したことがありません。`,
    });
  }
  const detail = {
    en: describeGone(gone),
    ja: `サンドボックス${gone.name ?? id}は${gone.at}に${gone.reason === 'expired' ? '期限切れになりました' : '削除されました'}。`,
  };
  const cause = { reason: 'gone-sandbox', gone } as const;
  return new ApiError('NOT_FOUND', cause, detail, { status: 410, ownCode: 'SANDBOX_GONE' });
}

/** The answer if the changes could not be written: 500, so the client knows that the outcome is unknown. */
function respondUnwritten(
  { world }: ServedMock,
  request: PlainRequest,
  stateWriter: StateWriter,
  { headers }: PlainResponse,
  error: unknown,
): AdapterAction {
  if (stateWriter.recordFailure()) world.rules.onError(error);
  const requestId = headers['X-Request-Id'] ?? '';
  const message = unwrittenMessage[parseAcceptLanguage(request.header('accept-language'))];
  const body = JSON.stringify({
    error: world.rules.server.toServerCode('INTERNAL_ERROR'),
    message: `${message} ${(error as Error).message}`,
  });
  const response = {
    status: 500,
    headers: answerHeaders(requestId),
    body,
  };
  const code = world.rules.server.toServerCode('INTERNAL_ERROR');
  const cause = { reason: 'unwritten-state', message: (error as Error).message } as const;
  const decision = { step: 'endWithAnswer', cause, world };
  const trace = world.requestLog.noteUnwritten(requestId, code, response, decision);
  if (trace !== undefined) world.events?.addRequest(trace);
  return { kind: 'answer', undeclared: true, response };
}

const unwrittenMessage = {
  en: 'The mock server could not write its data file, so the outcome is not confirmed.',
  ja: 'モックサーバーがデータファイルに書き込めなかったため、結果を確認できません。',
} as const;

/** The maximum number of body bytes that a request may have. */
export function bodyLimit(request: PlainRequest): number {
  const { path } = request;
  if (!path.startsWith(`${controlPath}/`) && !path.startsWith(`${sandboxPath}/`)) return maxBodyBytes;
  const control = path.lastIndexOf(`${controlPath}/`);
  if (control < 0) return maxBodyBytes;
  return controlBodyLimit(request, path.slice(control + controlPath.length));
}

/** Serves the API, the control API, the OpenAPI document and the index page. */
function serve(
  mock: ServedMock,
  request: PlainRequest,
  path: string,
): AdapterAction | Promise<AdapterAction> {
  if (path.startsWith(apiPrefix)) return handle(mock.world, request, path.slice(basePath.length));
  const { node } = mock.services;
  if (path.startsWith(`${controlPath}/`)) {
    if (node !== undefined && isPageRequest(request, path.slice(controlPath.length)))
      return serveInspector(node, mock, request, path);
    return handleControl(mock, request, path.slice(controlPath.length), mock.services.nextRequestId());
  }
  const readDocument = findDocument(node, path);
  if (readDocument !== undefined && isGetOrHead(request)) {
    return readDocument().then((text) => respondText(mock, 'application/yaml; charset=utf-8', text));
  }
  const isIndex = path === '/' || path === '';
  if (
    node !== undefined &&
    (isIndex || path === controlPath) &&
    isGetOrHead(request) &&
    prefersPage(request)
  ) {
    return redirectToPage(mock.addresses(request.origin()).controlUrl, mock.services.nextRequestId());
  }
  if (isIndex && isGetOrHead(request)) {
    return respondText(
      mock,
      'application/json',
      JSON.stringify(describeMock(mock, request.origin()), null, 2),
    );
  }
  // A path outside the API gets the same 404 as an unknown path of the API.
  return handle(mock.world, request, path, outsideBaseUrl());
}

/** Serves a file of the page or a document, or what is wrong with a request for it. */
function serveInspector(
  node: NodeServices,
  mock: ServedMock,
  request: PlainRequest,
  path: string,
): AdapterAction | Promise<AdapterAction> {
  const requestId = mock.services.nextRequestId();
  const file = path.slice(controlPath.length);
  const refusal = refuseControl(request, file, requestId);
  return refusal ?? node.serveInspector(mock, request, file, requestId);
}

/** What reads an OpenAPI document of the API; undefined if the path is not that of one. */
function findDocument(node: NodeServices | undefined, path: string): (() => Promise<string>) | undefined {
  if (node === undefined || !Object.hasOwn(node.documents.api, path)) return undefined;
  return node.documents.api[path];
}

function respondText(mock: ServedMock, type: string, body: string): AdapterAction {
  const headers = {
    'Content-Type': type,
    'X-Request-Id': mock.services.nextRequestId(),
    ...sameOriginHeaders,
  };
  return { kind: 'answer', response: { status: 200, headers, body } };
}

/** The addresses of the documents and of the inspector. */
const listPages = (mock: ServedMock, origin: string): Readonly<Record<string, string>> => ({
  openapi: `${origin}/openapi.yaml`,
  controlOpenapi: `${mock.addresses(origin).controlUrl}/openapi.yaml`,
  inspector: `${mock.addresses(origin).controlUrl}/`,
  docs: `${mock.addresses(origin).controlUrl}/docs`,
});

/** The index page: what this server is, and its addresses. */
function describeMock(mock: ServedMock, origin: string): unknown {
  const { baseUrl } = mock.addresses(origin);
  return {
    name: 'orgchat mock server',
    contract: contractVersion,
    ...mock.addresses(origin),
    ...(mock.services.node !== undefined && listPages(mock, origin)),
    ...(mock.parent !== undefined && {
      sandbox: {
        id: mock.id,
        name: mock.name ?? null,
        parentInspector: `${mock.parent.addresses(origin).controlUrl}/`,
      },
    }),
    keys: mock.world.listKeys().map(({ name, scope }) => ({ name, scope })),
    writeKey: mock.writeKey ?? null,
    tryThis: `curl -H 'Authorization: Bearer ${mock.writeKey ?? 'KEY'}' ${baseUrl}/me`,
  };
}
