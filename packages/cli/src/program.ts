import { Command } from 'commander';
import { version } from '../package.json';
import { bindOutcome } from './action.ts';
import type { Outcome } from './context.ts';
import { addGlobalOptions } from './globals.ts';
import { groups } from './groups.ts';
import { lazily } from './lazy.ts';

const closing = `
Start here:
  $ orgchat mock start                    the API on this machine, with a demo organization
  $ orgchat auth login                    keep a key for the real one
  $ orgchat tags list

More: orgchat help COMMAND · orgchat help exit-codes · orgchat help environment · orgchat help codes`;

/**
 * The root: names and summaries only. What a command takes and does is read when it is called, so that
 * help, version and completion of names cost little more than Node itself.
 */
export function createProgram(outcome: Outcome): Command {
  const program = new Command('orgchat')
    .description(
      'Messaging configuration, keywords and Studio of an organization, and a mock server of the API.',
    )
    .usage('COMMAND [options]')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .showSuggestionAfterError();
  addGlobalOptions(program);
  program.addHelpText('after', closing);
  bindOutcome(program, outcome);

  for (const group of groups) {
    program.commandsGroup(group.heading);
    for (const [name, summary, load] of group.commands) lazily(program, name, summary, load);
  }
  return program;
}

/** The help of the root as text. */
export function rootHelp(): string {
  const parts: string[] = [];
  const program = createProgram({ exitCode: 0 });
  program.configureOutput({ writeOut: (part) => void parts.push(part), getOutHelpWidth: () => 80 });
  program.outputHelp();
  return parts.join('');
}
