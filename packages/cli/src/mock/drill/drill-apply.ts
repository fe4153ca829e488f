import { readConfig } from '../../config/file/read-config.ts';
import type { Context } from '../../context.ts';
import { drillFields } from '../../output/mock-fields.ts';
import type { DrillOptions } from '../mock-options.ts';
import { type DrillRun, runDrill } from './drill-client.ts';
import { explain } from './report.ts';

/** `mock drill FILE`: the drill of `config apply FILE`, with a kill after each step. */
export async function drillApply(context: Context, options: DrillOptions, file: string): Promise<void> {
  context.requireFields({ names: drillFields.apply, isOpen: false });
  await readConfig(file);
  const args = ['config', 'apply', file, '--yes', '--pacing', 'off'];
  const done = await runDrill(
    context,
    { ...options, fault: ['kill'] },
    {
      words: [process.execPath, process.argv[1] ?? '', ...args],
      name: ['orgchat', ...args].join(' '),
      nothingWrittenHint: 'Use a file with changes, or another --seed.',
    },
  );
  if (done === undefined) return;
  const { runs } = done;
  const rounds = runs.map(({ row, applied, replayed }) => ({
    killedAfter: row.write,
    applied,
    replayed,
    exit: row.exit,
  }));
  const sum = (count: (run: DrillRun) => number): number =>
    runs.reduce((total, run) => total + Math.max(0, count(run)), 0);
  await context.output.one({
    steps: runs[0]?.expected ?? 0,
    kills: runs.length,
    replayed: sum(({ replayed }) => replayed),
    appliedTwice: sum(({ applied, expected }) => applied - expected),
    lost: sum(({ applied, expected }) => expected - applied),
    ...(!context.output.isView && { rounds }),
  });
  for (const { row } of runs) {
    if (row.verdict !== 'ok') context.output.note(`killed after step ${row.write}: ${explain(row)}`);
  }
}
