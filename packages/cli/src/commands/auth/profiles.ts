import type { Command } from 'commander';
import { toShellWord } from '../../args/shell-word.ts';
import type { Context } from '../../context.ts';
import { action, examples } from '../../define-command.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import type { Row } from '../../output/output.ts';
import { findHidingVariables } from '../../settings/hiding-variables.ts';
import { findProfile, type Profile, type Profiles, readProfiles } from '../../settings/profiles.ts';
import { changeProfiles } from './change-profiles.ts';

export function list(command: Command): void {
  const listing = command
    .command('list')
    .alias('ls')
    .description('list the stored profiles, without their keys');
  action(listing, async ({ output }) => {
    const known = await readProfiles();
    const names = Object.keys(known.profiles).sort();
    await output.many(
      names.map((name) => toRow(known, name)),
      ['profile', 'current', 'baseUrl', 'storage', 'journal', 'server'],
    );
    if (names.length === 0 && output.format === 'table')
      output.note('No profiles found. Create one: orgchat auth login');
  });
  examples(listing, ['orgchat auth list']);
}

export function switchProfile(command: Command): void {
  const switching = command
    .command('switch')
    .description('select the profile that later commands use')
    .argument('<profile>', 'name of a stored profile');
  action(switching, async (context, _options, name) => {
    const { profile, next } = await changeProfiles(context.interrupt.signal, async (known, write) => {
      const profile = findProfile(known, name);
      if (profile === undefined) throw unknownProfileError(name, known.profiles);
      const next = { ...known, current: name };
      if (known.current !== name) await write(next);
      return { profile, next };
    });
    await context.output.one(toRow(next, name));
    warnOfVariables(context, name, profile);
  });
  examples(switching, ['orgchat auth switch staging'], ['orgchat auth list', 'shows the names']);
}

function toRow({ current, profiles }: Profiles, name: string): Row {
  const { baseUrl, store, journal = null, server = null } = profiles[name] ?? {};
  return { profile: name, current: name === current, baseUrl, storage: store, journal, server };
}

/** Warns of variables because of which commands do not use all of the current profile. */
export function warnOfVariables({ env, output }: Context, name: string, profile: Profile): void {
  const { overridden, others } = findHidingVariables(name, profile, env);
  const variables = [...overridden, ...others];
  if (variables.length === 0) return;
  const [are, them] = variables.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const choice = others.length === 0 ? `, or pass --profile ${toShellWord(name)}` : '';
  output.warn(
    `${variables.join(' and ')} ${are} set, so commands do not use all of profile "${name}". Unset ${them}${choice}.`,
  );
}

export const unknownProfileError = (name: string, profiles: Profiles['profiles']): CliError =>
  new CliError(`No profile named "${name}".`, {
    code: 'UNKNOWN_PROFILE',
    exit: exitCodes.notFound,
    hint: `Known profiles: ${Object.keys(profiles).join(', ') || 'none'}.`,
  });
