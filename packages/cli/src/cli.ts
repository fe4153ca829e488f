import module from 'node:module';
import { version } from '../package.json';

// Node 22 and later keep the compiled code between runs; Node 20 has no such function.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();

const args = process.argv.slice(2);

// The one question scripts ask most is answered before anything else is read.
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${version}\n`);
} else {
  const { main } = await import('./main.ts');
  await main(args);
}
