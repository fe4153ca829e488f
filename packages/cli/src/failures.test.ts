import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { toFailure } from './failures.ts';

test.each([
  ["unknown command ''", "Unknown command ''."],
  ["unknown command 'tgas'", "Unknown command 'tgas'."],
  ["unknown command 'n c'", "Unknown command '…'."],
  ["unknown option '-xvalue'", "Unknown option '-x'."],
  ["unknown option '--limt=5'", "Unknown option '--limt'."],
])('%s is said without what could be a value: %s', async (written, said) => {
  const { message } = await toFailure(new CommanderError(1, 'commander.unknownCommand', `error: ${written}`));
  expect(message).toBe(said);
});
