import type { Command } from 'commander';
import { integer, integerOrOff } from '../args/value-parsers.ts';

/** `N`, or `off`. */
const limit = integerOrOff(0);

/** Options for the data and limits of the mock, the same for `start`, `exec` and `drill`. */
export function addWorldOptions(command: Command, defaultRateLimit: number | 'off' = 'off'): Command {
  return command
    .option('--seed <file>', 'file with the initial data (default: demo organization)')
    .option('--random-seed <n>', 'random seed; the same number gives the same ids', integer(0))
    .option('--rate-limit <n|off>', `requests per minute per key (default ${defaultRateLimit})`, limit)
    .option('--monthly-limit <n|off>', 'requests per month (default: from the plan)', limit);
}
