import { expect, test } from 'vitest';
import { timesDescend } from './record-times.ts';

const at = (...times: (string | number)[]) => times.map((createdAt) => ({ createdAt }));

test.each([
  ['later before earlier', at('2026-05-03', '2026-05-02', '2026-05-01'), true],
  ['equal times among others', at('2026-05-03', '2026-05-02', '2026-05-02'), true],
  ['earlier before later', at('2026-05-01', '2026-05-02'), false],
  ['one later in between', at('2026-05-03', '2026-05-04', '2026-05-01'), false],
  ['equal times alone', at('2026-05-01', '2026-05-01'), false],
  ['a single record', at('2026-05-01'), false],
  ['no records', [], false],
  ['a time that is missing', [...at('2026-05-03'), {}, ...at('2026-05-01')], false],
  ['a time that is none', at('2026-05-03', 'yesterday'), false],
])('%s', (_name, records, isNewestFirst) => {
  expect(timesDescend(records)).toBe(isNewestFirst);
});
