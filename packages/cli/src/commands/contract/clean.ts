import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { action, examples } from '../../define-command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { confirm } from '../../input/prompt.ts';
import { resolveTarget } from '../../settings/api-target.ts';
import { resolveServerFile } from '../../settings/server-file.ts';
import { defaults, type RateFlag, rateOption, runLocked } from './run-locked.ts';

export function clean(command: Command): void {
  const cleaning = command
    .command('clean')
    .description('remove the tags and links that checks have created and could not remove');
  rateOption(cleaning);
  action<RateFlag>(cleaning, runCommand);
  examples(
    cleaning,
    ['orgchat contract clean', 'says what would be removed, and asks'],
    ['orgchat contract clean --yes', 'in CI, after a check that was killed'],
  );
}

async function runCommand(context: Context, { rate = defaults.rate }: RateFlag): Promise<void> {
  const target = await resolveTarget(context.options, context.env);
  for (const warning of [...target.addressWarnings, ...target.warnings]) context.output.warn(warning);
  const [{ runClean }, { listCleaningSteps, showLeft }] = await Promise.all([
    import('../../contract/run-clean.ts'),
    import('../../contract/report.ts'),
  ]);
  const described = await resolveServerFile(context.options, context.env);
  const { removed, left, stopped } = await runLocked(context, target, described?.codes, (options) =>
    runClean(target, {
      ...options,
      rate,
      confirm: (found) =>
        confirm(`Remove what checks have created: ${found.map(showLeft).join(', ')}?`, context.options.yes),
    }),
  );
  if (stopped !== undefined) context.output.warn(`Ended early: ${stopped.message}`);
  await context.output.one({
    removed,
    left: left.map((record) => ({ ...record, id: record.id ?? null })),
  });
  for (const step of listCleaningSteps(left)) context.output.warn(step);
  if (left.length > 0) context.exitCode = exitCodes.unknown;
}
