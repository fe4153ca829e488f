import type * as z from 'zod';
import { accountResponse } from './endpoints/account.ts';
import { changeChatInput, changeChatResult } from './endpoints/chat-changes.ts';
import { chatReadInput, chatReadResult } from './endpoints/chat-read.ts';
import { addKeywordsInput, addKeywordsResult } from './endpoints/keywords.ts';
import { studioReadInput, studioReadResult } from './endpoints/studio.ts';

export interface Operation {
  readonly method: 'GET' | 'POST';
  /** Below the base URL; `{siteId}` is the only parameter. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The scope a key needs. */
  readonly scope: 'read' | 'write';
  /**
   * Whether a request whose answer was lost may be sent again: `always` (it changes nothing), `same-operation-id`
   * (it is applied once for its operationId) or `never` (it could be applied twice).
   */
  readonly retry: 'always' | 'same-operation-id' | 'never';
  readonly request: z.ZodType | null;
  readonly response: z.ZodType;
  readonly success: 200 | 201;
  /** Error statuses the operation declares. */
  readonly errors: readonly number[];
}

/** SPECIFICATION.md, section 4: the five operations. */
export const operations = {
  getAccount: {
    method: 'GET',
    path: '/me',
    summary: 'Read your account',
    description:
      'Returns your organization, key, plan, credits and API usage. The request counts toward the monthly quota.',
    scope: 'read',
    retry: 'always',
    request: null,
    response: accountResponse,
    success: 200,
    errors: [401, 403, 429, 500],
  },
  addSeoKeywords: {
    method: 'POST',
    path: '/sites/{siteId}/keywords',
    summary: 'Add keywords to a site',
    description:
      'Adds keywords to a site, and optionally to a group. The API does not support Idempotency-Key: do not automatically retry a request whose outcome is unknown.',
    scope: 'write',
    retry: 'never',
    request: addKeywordsInput,
    response: addKeywordsResult,
    success: 201,
    errors: [400, 401, 403, 404, 429, 500],
  },
  readChat: {
    method: 'POST',
    path: '/chat/read',
    summary: 'Read messaging data',
    description:
      'Reads the accounts that your key can access, and their configuration, friends, conversations and messages.',
    scope: 'read',
    retry: 'always',
    request: chatReadInput,
    response: chatReadResult,
    success: 200,
    errors: [400, 401, 403, 404, 429, 500],
  },
  changeChat: {
    method: 'POST',
    path: '/chat/changes',
    summary: 'Change a record or a friend',
    description:
      'Applies a change exactly once per operationId. Use a new operationId for each change. If you did not receive the result, send the same operationId with the same input again.',
    scope: 'write',
    retry: 'same-operation-id',
    request: changeChatInput,
    response: changeChatResult,
    success: 200,
    errors: [400, 401, 403, 404, 409, 429, 500, 502],
  },
  readStudio: {
    method: 'POST',
    path: '/studio/read',
    summary: 'Read Studio',
    description:
      "Reads the projects of Studio, the document workspace, a project's documents without their bodies, or one document with its body. Studio is read-only.",
    scope: 'read',
    retry: 'always',
    request: studioReadInput,
    response: studioReadResult,
    success: 200,
    errors: [400, 401, 403, 404, 429, 500, 502],
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as [OperationName, ...OperationName[]];

/** Whether an operation declares a status; the 404 and 405 of unknown routes belong to no operation. */
export function declares(name: OperationName, status: number): boolean {
  const operation: Operation = operations[name];
  return status === operation.success || operation.errors.includes(status);
}
