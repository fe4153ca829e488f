import { NotFoundError, OutcomeUnknownError, StaleRevisionError } from '@orgchat/sdk';
import { describe, expect, test } from 'vitest';
import { explain, explaining } from './error-hints.ts';
import { toCliError } from './to-cli-error.ts';

const notFound = () => new NotFoundError('There is no such tag.', { code: 'NOT_FOUND', meaning: 'notFound' });
const stale = () =>
  new StaleRevisionError('The revision differs.', { code: 'STALE_REVISION', meaning: 'staleRevision' });

/** What a command prints as the next step, after the scopes of its error have ended. */
async function hintOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return (await toCliError(error)).hint;
}

const fails = (error: Error) => async (): Promise<never> => {
  throw error;
};

describe('the hints of a scope', () => {
  test('are those of an error that left it', async () => {
    expect(await hintOf(explaining({ notFound: 'Look there.' }, fails(notFound())))).toBe('Look there.');
    expect(await hintOf(explaining({ stale: 'Read it.' }, fails(stale())))).toBe('Read it.');
    const unknown = new OutcomeUnknownError('No answer.', { code: 'OUTCOME_UNKNOWN', cause: undefined });
    const hint = await hintOf(explaining({ resendKeywords: 'orgchat resend' }, fails(unknown)));
    expect(hint).toContain(': orgchat resend');
  });

  test('are replaced by those of a scope within it, one by one', async () => {
    const nested = (error: Error) =>
      explaining({ notFound: 'outer', stale: 'outer' }, () =>
        explaining({ notFound: 'inner', stale: undefined }, fails(error)),
      );
    expect(await hintOf(nested(notFound()))).toBe('inner');
    expect(await hintOf(nested(stale()))).toBe('outer');
  });

  test('are not those of what comes after it', async () => {
    const after = async (first: () => Promise<unknown>): Promise<never> => {
      await explaining({ notFound: 'outer' }, first).catch(() => undefined);
      throw notFound();
    };
    const without = await hintOf(fails(notFound())());
    expect(await hintOf(after(async () => undefined))).toBe(without);
    // Also if the scope ended by an error.
    expect(await hintOf(after(fails(notFound())))).toBe(without);
    expect(await hintOf(explaining({ notFound: 'all' }, () => after(fails(stale()))))).toBe('all');
  });

  test('are not those of another scope at the same time', async () => {
    let open: (() => void) | undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const first = explaining({ notFound: 'first' }, async () => {
      await opened;
      throw notFound();
    });
    const second = explaining({ notFound: 'second' }, async () => {
      open?.();
      await first.catch(() => undefined);
      throw notFound();
    });
    expect(await Promise.all([hintOf(first), hintOf(second)])).toEqual(['first', 'second']);
  });

  test('do not change what the scope resolves to or throws', async () => {
    const error = notFound();
    expect(await explaining({ notFound: 'there' }, async () => 7)).toBe(7);
    await expect(explaining({ notFound: 'there' }, fails(error))).rejects.toBe(error);
    await expect(explaining({ notFound: 'there' }, () => Promise.reject('text'))).rejects.toBe('text');
  });
});

test('an error that was returned has the hints that it was given', async () => {
  expect((await toCliError(explain(notFound(), { notFound: 'Look there.' }))).hint).toBe('Look there.');
});
