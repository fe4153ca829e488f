import { describe, expect, it } from 'vitest';
import { withAt } from '../../../packages/mock-server/test-support/paths.ts';
import { validator } from '../../../spec/test-support/document.ts';

const time = '2026-04-01T00:00:00.000Z';
const project = { id: 'p', name: 'P', description: '', archived: false, updatedAt: time };
const summary = { id: 'd', title: 'D', kind: 'note', updatedAt: time };

/** A valid answer of each component. */
const answers = {
  Account: {
    organizationId: 'o',
    key: { name: 'K', scope: 'write' },
    plan: 'any',
    credits: { allowance: 1.5, used: 0.5, remaining: 1, resetsAt: time },
    api: { used: 1, limit: 2, perMinute: 60 },
  },
  AddKeywordsResult: { added: ['a'], skipped: ['b'] },
  StudioProject: project,
  StudioDocumentSummary: summary,
  StudioDocument: { ...summary, body: '# D' },
  StudioProjects: { projects: [project], total: 1, next: 'n' },
  StudioDocuments: { project, documents: [summary], total: null, next: null },
  StudioSingleDocument: { project, document: { ...summary, body: '' } },
  ErrorBody: { error: 'ANY_CODE', message: 'Any words.' },
};

const text = [1, null, true, [], {}];
const number = ['1', null, true, [], {}];
const dateTime = [...text, 'yesterday', '2026-04-01'];
const strings = ['a', [1], null, {}];

/* Every promised field of an answer: it is required, and has its type. */
const fields: readonly (readonly [string, keyof typeof answers, string, readonly unknown[]])[] = [
  ['4.1.6', 'Account', 'organizationId', text],
  ['4.1.7', 'Account', 'key.name', text],
  ['4.1.8', 'Account', 'key.scope', [...text, 'admin', 'READ', '']],
  ['4.1.9', 'Account', 'plan', text],
  ['4.1.10', 'Account', 'credits.allowance', number],
  ['4.1.11', 'Account', 'credits.used', number],
  ['4.1.12', 'Account', 'credits.remaining', number],
  ['4.1.13', 'Account', 'credits.resetsAt', dateTime],
  ['4.1.14', 'Account', 'api.used', number],
  ['4.1.15', 'Account', 'api.limit', number],
  ['4.1.16', 'Account', 'api.perMinute', number],
  ['4.2.11', 'AddKeywordsResult', 'added', strings],
  ['4.2.12', 'AddKeywordsResult', 'skipped', strings],
  ['4.5.13', 'StudioProjects', 'projects', [[{}], {}, null]],
  ['4.5.14', 'StudioDocuments', 'documents', [[{}], {}, null]],
  ['4.5.14, 4.5.16', 'StudioDocuments', 'project', [{}, null, 'p']],
  ['4.5.15', 'StudioSingleDocument', 'document', [{}, null, summary]],
  ['4.5.15, 4.5.16', 'StudioSingleDocument', 'project', [{}, null, 'p']],
  ['4.5.17', 'StudioProjects', 'total', ['1', 1.5, true]],
  ['4.5.17', 'StudioDocuments', 'total', ['1', 1.5, true]],
  ['4.5.18', 'StudioProjects', 'next', [1, true, {}]],
  ['4.5.18', 'StudioDocuments', 'next', [1, true, {}]],
  ['4.5.22', 'StudioProject', 'id', text],
  ['4.5.23', 'StudioProject', 'name', text],
  ['4.5.24', 'StudioProject', 'description', text],
  ['4.5.25', 'StudioProject', 'archived', ['false', 0, null]],
  ['4.5.26', 'StudioProject', 'updatedAt', dateTime],
  ['4.5.27', 'StudioDocumentSummary', 'id', text],
  ['4.5.28', 'StudioDocumentSummary', 'title', text],
  ['4.5.29', 'StudioDocumentSummary', 'kind', [...text, 'other', 'Note']],
  ['4.5.30', 'StudioDocumentSummary', 'updatedAt', dateTime],
  ['4.5.31', 'StudioDocument', 'id', text],
  ['4.5.32', 'StudioDocument', 'title', text],
  ['4.5.33', 'StudioDocument', 'kind', [...text, 'other', 'Note']],
  ['4.5.34', 'StudioDocument', 'updatedAt', dateTime],
  ['4.5.35', 'StudioDocument', 'body', text],
  ['7.1.2', 'ErrorBody', 'error', text],
  ['7.1.3', 'ErrorBody', 'message', text],
];

describe('fields of answers', () => {
  it.each(fields)('[%s] %s requires %s with its type', (_, component, at, wrong) => {
    const judge = validator(`#/components/schemas/${component}`);
    const answer = answers[component];
    expect(judge(answer), JSON.stringify(judge.errors)).toBe(true);
    expect(judge(withAt(answer, at, undefined))).toBe(false);
    for (const value of wrong) {
      expect({ value, valid: judge(withAt(answer, at, value)) }).toEqual({ value, valid: false });
    }
    // A field that is added later breaks nothing.
    expect(judge({ ...answer, later: 1 })).toBe(true);
  });
});
