import { defineConfig } from 'tsup';
import { plantBug } from '../../../test/test-support/plant-bug.ts';
import { config } from '../tsup.config.ts';

/** The package with a bug in `createMock()`. */
export default defineConfig({
  ...config,
  dts: false,
  esbuildPlugins: [plantBug(/[\\/]create-mock\.ts$/, 'checkOptions(options);'), ...config.esbuildPlugins],
});
