/* `bundle-for-tests.ts FOLDER`: the command as it ships. With `crashing` after it, `orgchat account` has a bug. */
import { plantBug } from '../../../test/test-support/plant-bug.ts';
import { bundleCommand } from '../build/bundle-command.ts';

const [folder, variant] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder for the bundle.');
const bug = plantBug(/[\\/]commands[\\/]account\.ts$/, 'async (context) => {');
await bundleCommand(folder, variant === 'crashing' ? [bug] : []);
