import type { Row } from '../support/row.ts';
export function picture(_rows: readonly Row[]): string {
  return '<svg xmlns="http://www.w3.org/2000/svg"/>';
}
