import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { loadCommand } from '../define-command.ts';
import { createProgram } from '../program.ts';

interface Described {
  readonly path: string;
  readonly help: string;
}

/** Every command and group that help shows, with its help. */
async function described(command: Command, path: readonly string[] = []): Promise<Described[]> {
  await loadCommand(command);
  const parts: string[] = [];
  command.configureOutput({ writeOut: (part) => void parts.push(part), getOutHelpWidth: () => 200 });
  command.outputHelp();
  const below: Described[] = [];
  for (const child of command.commands) {
    if (child.name() !== 'complete') below.push(...(await described(child, [...path, child.name()])));
  }
  return [{ path: path.join(' '), help: parts.join('') }, ...below];
}

const all = await described(createProgram({ exitCode: 0 }));

test('every command and group shows examples of itself', () => {
  const bare = all.filter(({ path, help }) => {
    const [, shown = ''] = help.split('\nExamples:\n');
    return path !== '' && !shown.includes(`orgchat ${path}`);
  });
  expect(bare.map(({ path }) => path)).toEqual([]);
});

test('the help of a command shows its own options, and says where those of all commands are', () => {
  const [root, ...commands] = all.toSorted((a, b) => a.path.length - b.path.length);
  expect(root?.help).toMatch(/^ {2}--profile <name> /m);
  expect(commands.filter(({ help }) => /^ {2}--profile /m.test(help))).toEqual([]);
  expect(commands.filter(({ help }) => !help.endsWith('orgchat --help\n'))).toEqual([]);
});

test('every option and argument has a description', () => {
  const lines = all.flatMap(({ path, help }) =>
    help
      .split('\n')
      .filter((line) => /^ {2}(-|\[|<)\S+(?: <\S+>)?\s*$/.test(line) || /^ {2}\S+ +nothing$/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(lines).toEqual([]);
});
