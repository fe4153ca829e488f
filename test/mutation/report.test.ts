import { expect, test } from 'vitest';
import { resultOf } from './report.ts';

const source = `const half = (n: number) => n / 2;
const isEven = (n: number) =>
  half(n) % 1 === 0;
`;

const at = (line: number, column: number, end: [line: number, column: number]) => ({
  location: { start: { line, column }, end: { line: end[0], column: end[1] } },
});

test('the report of a group has its score and each surviving mutant', () => {
  const mutants = [
    { ...at(1, 29, [1, 34]), mutatorName: 'Arithmetic', status: 'Killed', replacement: 'n * 2' },
    { ...at(2, 16, [3, 20]), mutatorName: 'Arrow', status: 'Survived', replacement: '() => undefined' },
    { ...at(3, 3, [3, 20]), mutatorName: 'Boolean', status: 'Timeout', replacement: 'true' },
    { ...at(3, 3, [3, 20]), mutatorName: 'Boolean', status: 'NoCoverage', replacement: 'false' },
    { ...at(3, 19, [3, 20]), mutatorName: 'Number', status: 'Ignored', statusReason: 'the same' },
    { ...at(3, 19, [3, 20]), mutatorName: 'Number', status: 'CompileError' },
  ];
  const files = { 'b.ts': { source: '', mutants: [] }, 'a.ts': { source, mutants } };
  const report = { files, framework: { version: '9.6.1' } };
  expect(resultOf('numbers', report, new Date('2026-04-01T12:00:00Z'))).toBe(`# Mutation testing: numbers

Written by \`npm run test:mutation\` on 2026-04-01: StrykerJS 9.6.1, Node ${process.version}.

| file | killed | timeout | survived | not covered | left out | score |
|---|--:|--:|--:|--:|--:|--:|
| \`a.ts\` | 1 | 1 | 1 | 1 | 1 | 50.0 % |
| \`b.ts\` | 0 | 0 | 0 | 0 | 0 |  |
| **all** | 1 | 1 | 1 | 1 | 1 | 50.0 % |

- \`a.ts:2\`: \`\` (n: number) => half(n) % 1 === 0 \`\` → \`\` () => undefined \`\`
- \`a.ts:3\`: \`\` half(n) % 1 === 0 \`\` → \`\` false \`\`
- \`a.ts:3\`: \`\` 0 \`\` left out: the same
`);
});
