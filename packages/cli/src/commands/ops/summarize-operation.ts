import type { Row } from '../../output/output.ts';

/** The columns of operations in a table. */
export const operationColumns = ['operationId', 'state', 'what', 'createdAt', 'attempts', 'error'];

/** An entry on one line: the change's action, or the site that keywords were for. */
export function summarizeOperation(entry: Row): Row {
  const change = entry.change as Row | undefined;
  const error = entry.error as { code: string } | undefined;
  return { ...entry, what: change?.action ?? entry.path, error: error?.code };
}
