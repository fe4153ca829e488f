import { type Command, Option } from 'commander';
import { CliCommand } from '../../args/cli-command.ts';
import { integer, positiveDuration, repeatable } from '../../args/value-parsers.ts';
import { action, examples } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { drillFaults } from '../../mock/drill/drill-faults.ts';
import type { DrillOptions } from '../../mock/mock-options.ts';
import { addWorldOptions } from '../../mock/world-options.ts';

/** Options that only a command has. */
const commandOptions = ['delay', 'fault', 'jobs', 'junit', 'key'] as const;

const maxJobs = 64;

/** `mock drill -- COMMAND`, and `mock drill FILE` for `config apply`. */
export function drill(command: Command): void {
  const drilling = addWorldOptions(
    command
      .command('drill')
      .description('run a client with a fault at each write, and find lost and duplicate writes'),
  )
    .argument('[words...]', 'a client and its arguments, after --; or a configuration file to apply')
    .addOption(
      repeatable(
        new Option('--fault <name>', 'only this fault; repeatable').choices(drillFaults),
        checkFault,
      ),
    )
    .option('--delay <time>', 'delay of a late response (default 5s)', positiveDuration)
    .addOption(
      new Option('--jobs <n>', 'number of runs at the same time (default: number of cores)').argParser(
        integer(1, maxJobs),
      ),
    )
    .option('--junit <file>', 'write a JUnit report')
    .option('--key <key>', 'key to pass as ORGCHAT_API_KEY (default: one with write scope)')
    .addHelpText('after', help);
  action<DrillOptions>(drilling, async (context, options, ...words) => {
    if (drilling instanceof CliCommand && drilling.hasSeparator) {
      const { drillClient } = await import('../../mock/drill/drill-client.ts');
      return drillClient(context, options, words);
    }
    const [file, ...others] = words;
    if (file === undefined || others.length > 0) {
      throw usageError(
        `Expected a command after --, or one configuration file, got "${words.join(' ')}".`,
        'Usage: orgchat mock drill -- COMMAND ARGUMENTS, or orgchat mock drill FILE',
      );
    }
    const given = commandOptions.find((name) => options[name] !== undefined);
    if (given !== undefined) {
      throw usageError(
        `--${given} can only be used with a command, not with a configuration file.`,
        'Usage: orgchat mock drill -- COMMAND ARGUMENTS',
      );
    }
    const { drillApply } = await import('../../mock/drill/drill-apply.ts');
    return drillApply(context, options, file);
  });
  examples(
    drilling,
    ['orgchat mock drill -- python3 import.py', 'any client in any language'],
    ['orgchat mock drill --delay 2s --junit drill.xml -- ./import.sh', 'in CI'],
    ['orgchat mock drill orgchat.yaml', 'kills config apply after each step'],
  );
}

const help = `
The command gets ORGCHAT_BASE_URL, ORGCHAT_API_KEY, ORGCHAT_MOCK_URL, and in ORGCHAT_STATE_DIR a directory of its own.
--timeout limits each run (default 60s). Faults: ${drillFaults.join(', ')}.
Exits 5 if a write was lost or applied twice, 3 if the command fails or writes nothing without a fault.`;

function checkFault(name: string): string {
  if (drillFaults.some((known) => known === name)) return name;
  throw usageError(`Unknown fault "${name}".`, `Faults of the drill: ${drillFaults.join(', ')}.`);
}
