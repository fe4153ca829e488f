import module from 'node:module';
import { version } from '../package.json';

// Node 22 and later keep the compiled code between runs; Node 20 has no such function.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();

/** The help of the root, written when the command was built. */
declare const ROOT_HELP: string;

const args = process.argv.slice(2);
const [first = '--help'] = args;

// What is asked most, and by every shell that starts, is answered before anything else is read.
if (args.length <= 1 && (first === '--version' || first === '-V')) process.stdout.write(`${version}\n`);
else if (args.length <= 1 && (first === '--help' || first === '-h' || first === 'help'))
  process.stdout.write(ROOT_HELP);
else {
  const { main } = await import('./main.ts');
  await main(args);
}
