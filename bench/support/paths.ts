import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The repository; npm runs its scripts there. */
export const root = process.cwd();
export const bench = join(root, 'bench');
/** Where the bench is compiled to. */
export const built = join(bench, 'dist');
export const command = join(root, 'packages/cli/bin/orgchat.cjs');
export const document = join(root, 'spec/openapi.yaml');
export const prism = join(bench, 'node_modules/@stoplight/prism-cli/dist/index.js');

if (!existsSync(join(bench, 'run.ts'))) throw new Error('Run it as: npm run bench');
