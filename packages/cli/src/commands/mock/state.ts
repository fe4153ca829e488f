import type { Command } from 'commander';
import { action, examples } from '../../define-command.ts';
import { addControlOptions, type ControlOptions } from '../../mock/control-client.ts';
import { writeData } from '../../output/streams.ts';
import { control, readDocument } from './control-access.ts';

/** Characters of a state that is still indented for people to read. */
const mostIndented = 1_000_000;
/** A state has keys in it. */
const privateMode = 0o600;

export function state(command: Command): void {
  const group = command.command('state').description('save and load the state');
  examples(
    group,
    ['orgchat mock state save before.json', 'the default of "orgchat mock state"'],
    ['orgchat mock state load before.json'],
  );
  const saving = addControlOptions(
    group.command('save', { isDefault: true }).description('print the state, or write it to a file'),
  ).argument('[file]', 'file to write (default: standard output)');
  action<ControlOptions>(saving, async (context, options, file) => {
    const saved = await control(context, options).call('GET', '/state');
    const compact = JSON.stringify(saved);
    // Indenting a large state would make it larger than a mock reads.
    const text = compact.length > mostIndented ? compact : JSON.stringify(saved, null, 2);
    if (file === undefined || file === '-') return writeData(`${text}\n`, 'json');
    const { writeAtomic } = await import('../../output/write-file.ts');
    await writeAtomic(file, (write) => write(`${text}\n`), privateMode);
    context.output.note(`State saved to ${file}.`);
  });
  examples(saving, ['orgchat mock state save before.json']);
  const loading = addControlOptions(group.command('load').description('load a saved state')).argument(
    '<file|->',
    'saved state',
  );
  action<ControlOptions>(loading, async (context, options, file) => {
    const saved = await readDocument(file);
    await context.output.one(
      (await control(context, options).call('PUT', '/state', saved)) ?? { loaded: true },
    );
  });
  examples(loading, ['orgchat mock state load before.json']);
}
