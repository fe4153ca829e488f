import type { ChangeOf, ChatAction } from '@orgchat/sdk';
import { chatChange } from '@orgchat/spec';
import { invalidInput } from './failure.ts';
import { problemsOf } from './resources/collect-data.ts';

/** A change that is held to the contract before it is sent. */
export function checkedChange(change: Readonly<Record<string, unknown>>): ChangeOf<ChatAction> {
  const read = chatChange.safeParse(change);
  if (read.success) return read.data as ChangeOf<ChatAction>;
  const problems = problemsOf(read.error, change);
  throw invalidInput(
    `The change is not valid: ${problems.join('; ')}.`,
    'Mend the change; "orgchat change --help" shows one.',
    { problems },
  );
}
