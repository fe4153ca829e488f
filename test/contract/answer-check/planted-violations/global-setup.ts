import type { TestProject } from 'vitest/node';
import { document, type OpenApiDocument } from '../../../../spec/test-support/document.ts';
import { checkTestRun } from '../check-test-run.ts';

/** An OpenAPI document that the mock violates: the account needs another field, and 401 is not declared. */
function another(): OpenApiDocument {
  const changed = structuredClone(document) as unknown as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
    components: { schemas: Record<string, { required?: string[] }> };
  };
  delete changed.paths['/me']?.get?.responses['401'];
  changed.components.schemas.Account?.required?.push('neverThere');
  return changed as unknown as OpenApiDocument;
}

export default (project: TestProject): Promise<() => Promise<void>> => checkTestRun(project, another());
