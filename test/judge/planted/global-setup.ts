import type { TestProject } from 'vitest/node';
import { document, type OpenApiDocument } from '../../../spec/testing/document.ts';
import { judgeRun } from '../run.ts';

/** A document that the mock does not keep: the account has a field more, and no refusal. */
function another(): OpenApiDocument {
  const changed = structuredClone(document) as unknown as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
    components: { schemas: Record<string, { required?: string[] }> };
  };
  delete changed.paths['/me']?.get?.responses['401'];
  changed.components.schemas.Account?.required?.push('neverThere');
  return changed as unknown as OpenApiDocument;
}

export default (project: TestProject): Promise<() => Promise<void>> => judgeRun(project, another());
