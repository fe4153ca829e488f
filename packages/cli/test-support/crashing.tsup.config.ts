import { defineConfig } from 'tsup';
import { plantBug } from '../../../test/test-support/plant-bug.ts';
import { createConfig } from '../tsup.config.ts';

/** The command with a bug in `orgchat account`. */
export default defineConfig((overrides) => {
  const config = createConfig(overrides);
  const bug = plantBug(/[\\/]commands[\\/]account\.ts$/, 'async (context) => {');
  return { ...config, esbuildPlugins: [bug, ...config.esbuildPlugins] };
});
