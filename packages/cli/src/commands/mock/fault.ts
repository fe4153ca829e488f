import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { action, examples } from '../../define-command.ts';
import { addControlOptions, type ControlOptions } from '../../mock/control-client.ts';
import { describeFaults, parseFault } from '../../mock/fault-spec.ts';
import { control, toRows } from './control-access.ts';

export function fault(command: Command): void {
  const group = command
    .command('fault')
    .description('inject faults: lost, cut, late, uncertain or rejected requests');
  examples(
    group,
    ['orgchat mock fault lose-response action=create-tags', 'same as "fault add"'],
    ['orgchat mock fault list'],
    ['orgchat mock fault clear'],
  );
  group.addHelpText('after', `\n${describeFaults()}`);
  const list = async (context: Context, options: ControlOptions): Promise<void> => {
    const faults = toRows(await control(context, options).call('GET', '/faults'), 'faults');
    await context.output.many(faults, ['id', 'effect', 'operation', 'action', 'times', 'hits']);
  };
  const adding = addControlOptions(
    group
      .command('add', { isDefault: true })
      .alias('arm')
      .description('inject a fault into the next matching requests'),
  )
    .argument('[spec...]', 'EFFECT [name=value…], or JSON')
    .addHelpText('after', `\n${describeFaults()}`);
  action<ControlOptions>(adding, async (context, options, ...words) => {
    if (words.length === 0) return list(context, options);
    await context.output.one(await control(context, options).call('POST', '/faults', parseFault(words)));
  });
  examples(
    adding,
    ['orgchat mock fault add lose-response action=create-tags'],
    ['orgchat mock fault add respond operation=getAccount status=429 retryAfter=2 times=3'],
    ['orgchat mock fault add drop-request probability=0.1 times=always'],
    ['orgchat mock fault add delay delayMs=100..500 applied=true'],
    ['orgchat mock fault add uncertain action=update-tags resolve=afterRequests:2 applied=true'],
  );
  const listing = addControlOptions(
    group.command('list').alias('ls').description('list armed faults and their hits'),
  );
  action<ControlOptions>(listing, list);
  examples(listing, ['orgchat mock fault list'], ['orgchat mock fault list --fields id,effect,hits --json']);
  const clearing = addControlOptions(
    group.command('clear').description('disarm a fault, or all of them'),
  ).argument('[id]', 'id');
  action<ControlOptions>(clearing, async (context, options, id) => {
    const path = id === undefined ? '/faults' : `/faults/${encodeURIComponent(id)}`;
    await context.output.one((await control(context, options).call('DELETE', path)) ?? { cleared: true });
  });
  examples(clearing, ['orgchat mock fault clear'], ['orgchat mock fault clear ID', 'only this fault']);
}
