import { expect, test } from 'vitest';
import { findDecidedClauses, findPlaces, listNumbers } from './numbered-places.ts';

const markdown = [
  '# Title',
  '## 4 Operations',
  '### 4.4 Changes',
  'Text about **4.4.9** and D1.',
  '**4.4.1** A clause.',
  '| clause | status |',
  '| **4.4.2** | 404 |',
  '### D1 A decision (4.4.1)',
  '',
  '- **The contract does not define this in:** 4.4.1, 4.4.2.',
  '### D2 Another',
  '- **The contract does not define this in:** 1.1.',
].join('\n');

test('sections, clauses and decisions are found where they begin, and not where a text names them', () => {
  expect(findPlaces(markdown)).toEqual([
    { kind: 'section', number: '4', title: 'Operations', line: 1 },
    { kind: 'section', number: '4.4', title: 'Changes', line: 2 },
    { kind: 'clause', number: '4.4.1', title: '', line: 4 },
    { kind: 'clause', number: '4.4.2', title: '', line: 6 },
    { kind: 'decision', number: 'D1', title: 'A decision (4.4.1)', line: 7 },
    { kind: 'decision', number: 'D2', title: 'Another', line: 10 },
  ]);
  expect(listNumbers(markdown, 'decision')).toEqual(['D1', 'D2']);
});

test('a decision says which clauses it is about', () => {
  expect([...findDecidedClauses(markdown)]).toEqual([
    ['D1', ['4.4.1', '4.4.2']],
    ['D2', ['1.1']],
  ]);
});
