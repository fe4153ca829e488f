import { defineConfig } from 'vitest/config';
import whole from '../../../../vitest.config.ts';

/** The usual test configuration, with an OpenAPI document that the mock violates. */
export default defineConfig({
  ...whole,
  test: {
    ...whole.test,
    include: ['test/contract/answer-check/planted-violations/*.planted.ts'],
    globalSetup: ['./test/contract/answer-check/planted-violations/global-setup.ts'],
  },
});
