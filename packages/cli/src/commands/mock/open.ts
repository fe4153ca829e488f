import type { Command } from 'commander';
import { action, examples } from '../../define-command.ts';
import { addControlOptions, type ControlOptions } from '../../mock/control-client.ts';
import { control } from './control-access.ts';

interface OpenOptions extends ControlOptions {
  readonly print?: true;
}

/** `mock open`: shows the inspector of a running mock in a browser. */
export function open(command: Command): void {
  const opening = addControlOptions(
    command.command('open').description('open the inspector of a running mock in a browser'),
  ).option('--print', 'print its URL instead, with the token if there is one');
  action<OpenOptions>(opening, async (context, options) => {
    const mock = control(context, options);
    await mock.call('GET', '/health');
    if (options.print) return context.output.one({ inspectorUrl: mock.inspectorUrl });
    const { openBrowser } = await import('../../mock/open-browser.ts');
    const inspectorUrl = `${mock.controlUrl}/`;
    await openBrowser(inspectorUrl, context.env);
    await context.output.one({ opened: true, inspectorUrl });
  });
  examples(
    opening,
    ['orgchat mock open'],
    ['orgchat mock open --url http://127.0.0.1:5010'],
    ['orgchat mock open --print --json', 'for another browser'],
  );
}
