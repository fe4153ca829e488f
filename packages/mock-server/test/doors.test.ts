import { describe } from 'vitest';
import { doors } from './doors.ts';
import { suiteThrough } from './suite/through.ts';

/* One black-box suite, through three doors: HTTP, `mock.fetch` and msw must agree on every answer. */
describe.each(Object.entries(doors))('through %s', (_, open) => suiteThrough(open));
