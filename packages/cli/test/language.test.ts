import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { longSentences } from '../../../test/repository/conventions/plain-words.ts';
import { loadCommand } from '../src/define-command.ts';
import { createProgram } from '../src/program.ts';
import { findErrorSources } from '../test-support/error-sources.ts';

/** Descriptions of all commands, options and arguments. */
async function descriptionsOf(command: Command): Promise<string[]> {
  await loadCommand(command);
  const below = await Promise.all(command.commands.map(descriptionsOf));
  const own = [command.description(), ...command.options.map(({ description }) => description)];
  return [...own, ...command.registeredArguments.map(({ description }) => description), ...below.flat()];
}

const [summary = '', ...help] = await descriptionsOf(createProgram({ exitCode: 0 }));

test('no sentence of the help has more than 25 words', () => {
  expect([summary, ...help].flatMap(longSentences)).toEqual([]);
});

test('help is a phrase in lower case without a full stop', () => {
  const odd = help.filter((text) => /^(?!API)[A-Z][a-z]/.test(text) || /\.$/.test(text));
  expect(odd).toEqual([]);
});

describe('the README', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [first = '', recipes = ''] = readme.split(/^## (?:Recipes|Reference)$/m);

  test('begins with a screen of short sentences', () => {
    const paragraphs = first.replaceAll(/^```[\s\S]*?^```$/gm, '').split(/\n\n|\n(?=- )/);
    expect(first.split('\n').length).toBeLessThan(25);
    expect(paragraphs.flatMap((text) => longSentences(text.replaceAll('\n', ' ')))).toEqual([]);
  });

  test('has recipes of three commands at most', () => {
    const blocks = [...recipes.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) =>
      commands.trim(),
    );
    expect(blocks.length).toBeGreaterThan(5);
    expect(blocks.filter((commands) => commands.split('\n').length > 3)).toEqual([]);
  });
});

describe('every error', () => {
  const errors = findErrorSources();

  test('is found in the sources', () => {
    expect(errors.length).toBeGreaterThan(100);
  });

  test('says what happened, in a sentence', () => {
    const odd = errors.filter(({ message }) => {
      if (message === undefined) return false;
      return message.split(' | ').some((one) => !/^[A-Z…"-]/.test(one) || one.length < 3);
    });
    expect(odd).toEqual([]);
  });

  /** What happened is the whole of it: there is no value to show. */
  const withoutValue = [
    'Declined. Nothing was changed.',
    'Missing subcommand.',
    'Interrupted. | Terminated.',
    'Keyword requests are never retried automatically: the API cannot detect duplicates.',
    'No home directory found: HOME is not an absolute path, and this user has no home directory.',
    'No friend specified.',
    'Nothing to resume.',
    'No keywords found in the input.',
    'The fault is not a JSON object.',
    'The seed has no key with write scope. | The seed has no key ….',
    // The value may be a key.
    'The input is not a valid API key: it contains spaces, line breaks or other invalid characters.',
    'API keys are not accepted on the command line: other users can see them in the process list and shell history.',
    // It may contain a password.
    'The URL of the mock contains a user name or password.',
    'Nothing was applied. These were changed both in the file and in the organization since the last sync:',
    'Nothing was applied. These records changed after the plan was made:',
    'The plan was applied, but someone else created records with the same labels at the same time. Duplicates:',
  ];

  test('shows the value or names the setting', () => {
    const shows = (message: string): boolean =>
      /…|--[a-z]|[A-Z]{2,}_[A-Z]+|"[^"]+"|\b[a-z]+[A-Z]\w+\b/.test(message);
    const odd = errors.filter(
      ({ message }) => message !== undefined && !shows(message) && !withoutValue.includes(message),
    );
    expect(odd.map(({ place, message }) => `${place}: ${message}`)).toEqual([]);
  });

  test('says what to do next', () => {
    const odd = errors.filter(({ hint }) =>
      hint?.split(' | ').some((one) => !/^(?:[A-Z…-]|orgchat )/.test(one) || one.length < 3),
    );
    expect(odd.map(({ place, hint }) => `${place}: ${hint}`)).toEqual([]);
  });

  test('has a code', () => {
    expect(errors.filter(({ hasCode }) => !hasCode)).toEqual([]);
  });
});
