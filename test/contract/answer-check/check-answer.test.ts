import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type AnswerMessage, createMock, demoKeys } from '@orgchat/mock-server';
import { describe, expect, it } from 'vitest';
import { controlDocument, document } from '../../../spec/test-support/document.ts';
import { checkAnswer, checkControlAnswer, isControl, isOutsideContract } from './check-answer.ts';
import { controlApi, loadRules } from './rules.ts';

const rules = loadRules(document);

const mock = createMock();
/** The message that the mock publishes about its answer to a request. */
async function answerTo(path: string, init?: RequestInit): Promise<AnswerMessage> {
  const told: AnswerMessage[] = [];
  const listener = (message: unknown): void => void told.push(message as AnswerMessage);
  subscribe('orgchat.mock.answer', listener);
  await mock.fetch(`http://orgchat.mock${path}`, init);
  unsubscribe('orgchat.mock.answer', listener);
  const [answer] = told;
  if (answer === undefined) throw new Error(`Nothing was told of ${path}`);
  return answer;
}
const authorized = { headers: { authorization: `Bearer ${demoKeys.write}` } };
const me = await answerTo('/api/v1/me', authorized);
const refused = await answerTo('/api/v1/me');
const nowhere = await answerTo('/api/v1/nowhere');
const wrongMethod = await answerTo('/api/v1/me', { method: 'PUT' });

const problem = (answer: AnswerMessage, changes: Partial<AnswerMessage> = {}): string | undefined =>
  checkAnswer(rules, { ...answer, ...changes });
const without = ({ body }: AnswerMessage, field: string): { body: string } => ({
  body: JSON.stringify({ ...JSON.parse(body), [field]: undefined }),
});

describe('the check of answers', () => {
  it('accepts what the mock answers', () => {
    expect([me, refused, nowhere, wrongMethod].map(({ status }) => status)).toEqual([200, 401, 404, 405]);
    for (const answer of [me, refused, nowhere, wrongMethod]) expect(problem(answer)).toBeUndefined();
  });

  it('[4.1.9] rejects a success that lacks a field or has a wrong one', () => {
    expect(problem(me, without(me, 'plan'))).toBe("body must have required property 'plan'");
    const body = JSON.stringify({ ...JSON.parse(me.body), plan: 1 });
    expect(problem(me, { body })).toBe('body/plan must be string');
  });

  it('[7.1.1] rejects an error without its body', () => {
    expect(problem(refused, without(refused, 'message'))).toMatch(/'message'/);
    expect(problem(nowhere, without(nowhere, 'error'))).toMatch(/'error'/);
    expect(problem(refused, { body: '' })).toBe('the body is not JSON');
  });

  it('rejects a status the operation does not declare', () => {
    expect(problem(refused, { status: 409 })).toBe('getAccount does not declare this status');
    const changes = { method: 'POST', path: '/api/v1/chat/changes', status: 409 };
    expect(problem(refused, changes)).toBeUndefined();
  });

  it('[7.2.12] rejects an error without X-Request-Id, and an answer of another type', () => {
    const bare = { headers: { 'Content-Type': 'application/json' } };
    expect(problem(refused, bare)).toBe('no X-Request-Id');
    expect(problem(me, bare)).toBeUndefined();
    expect(problem(me, { headers: { 'X-Request-Id': '1', 'Content-Type': 'text/html' } })).toBe(
      'not application/json',
    );
  });

  it('requires 404 for an unknown path and 405 for an unknown method', () => {
    expect(problem(nowhere, { status: 405 })).toMatch(/404/);
    expect(problem(nowhere, { status: 200 })).toMatch(/404/);
    expect(problem(nowhere, { path: '/api/v1/sites/a/b/keywords' })).toBeUndefined();
    expect(problem(nowhere, { path: '/api/v1/sites/%zz/keywords' })).toBeUndefined();
    expect(problem(nowhere, { path: '/api/v1/sites/a/keywords' })).toMatch(/405/);
    expect(problem(wrongMethod, { status: 404 })).toMatch(/405/);
    expect(problem(wrongMethod, { headers: refused.headers })).toBe('no Allow');
  });

  it('accepts an undeclared status from a fault, with an error body', () => {
    const fault = { status: 503, fault: 'undeclared' } as const;
    expect(problem(refused, fault)).toBeUndefined();
    expect(problem(refused, { ...fault, ...without(refused, 'error') })).toMatch(/'error'/);
    expect(problem(me, { ...fault, status: 200, ...without(me, 'plan') })).toMatch(/'plan'/);
    expect(problem(nowhere, fault)).toMatch(/404/);
  });

  it('checks the whole answer even if a fault cuts it off', () => {
    expect(problem(me, { fault: 'cut' })).toBeUndefined();
    expect(problem(me, { fault: 'cut', ...without(me, 'plan') })).toMatch(/'plan'/);
    expect(problem(me, { fault: 'cut', status: 503 })).toMatch(/declare/);
  });

  it('accepts the answers to malformed HTTP', () => {
    const malformed = { method: null, path: null };
    for (const status of [400, 408, 413, 431])
      expect(problem(refused, { ...malformed, status })).toBeUndefined();
    expect(problem(refused, { ...malformed, status: 500 })).toMatch(/not HTTP/);
    expect(problem(refused, { ...malformed, status: 400, body: '{}' })).toMatch(/'error'/);
  });

  it('skips only what is not part of the API', async () => {
    for (const path of ['/', '/openapi.yaml', '/openapi-3.0.yaml'])
      expect([path, isOutsideContract(await answerTo(path))]).toEqual([path, true]);
    for (const answer of [me, nowhere, await answerTo('/', { method: 'POST' }), await answerTo('/_mock')]) {
      expect([answer.path, isOutsideContract(answer)]).toEqual([answer.path, false]);
      expect([answer.path, isControl(answer)]).toEqual([answer.path, false]);
    }
  });
});

describe('the check of answers of the control API', async () => {
  const control = loadRules(controlDocument, controlApi);
  const health = await answerTo('/_mock/health');
  const yaml = await answerTo('/_mock/openapi.yaml');
  const unknown = await answerTo('/_mock/nowhere');
  const faults = await answerTo('/_mock/faults', { method: 'PUT' });
  const mistaken = await answerTo('/_mock/faults', { method: 'POST', body: '{}' });
  const controlProblem = (answer: AnswerMessage, changes: Partial<AnswerMessage> = {}) =>
    checkControlAnswer(control, { ...answer, ...changes });

  it('accepts what the mock answers', () => {
    const answers = [health, yaml, unknown, faults, mistaken];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 405, 400]);
    for (const answer of answers) {
      expect([answer.path, isControl(answer)]).toEqual([answer.path, true]);
      expect(controlProblem(answer)).toBeUndefined();
    }
  });

  it('rejects another body, status, type, or no X-Request-Id', () => {
    expect(controlProblem(health, { body: '{"status":"late"}' })).toMatch(/status must be equal/);
    expect(controlProblem(health, { headers: {} })).toBe('no X-Request-Id');
    expect(controlProblem(health, { status: 409 })).toBe('getHealth does not declare this status');
    expect(controlProblem(yaml, { headers: { ...yaml.headers, 'Content-Type': 'text/plain' } })).toMatch(
      /yaml/,
    );
    expect(controlProblem(mistaken, { body: '{}' })).toMatch(/'error'/);
    expect(controlProblem(unknown, { status: 405 })).toMatch(/404/);
    expect(controlProblem(faults, { status: 404 })).toMatch(/405/);
  });
});
