import { describe } from 'vitest';
import { doors } from '../../packages/mock-server/test/doors.ts';
import { suiteThrough } from '../../packages/mock-server/test/suite/through.ts';

/* The mock's black-box suite without a socket: what the pipeline's mutants are held to. */
describe('through mock.fetch', () => suiteThrough(doors['mock.fetch']));
