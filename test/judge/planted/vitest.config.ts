import { defineConfig } from 'vitest/config';
import whole from '../../../vitest.config.ts';

/** The configuration of every test, for answers that break a document which was made so that they do. */
export default defineConfig({
  ...whole,
  test: {
    ...whole.test,
    include: ['test/judge/planted/*.planted.ts'],
    globalSetup: ['./test/judge/planted/global-setup.ts'],
  },
});
