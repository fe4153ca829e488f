import { getAccount } from '../apply/account.ts';
import { claim, perform } from '../apply/change.ts';
import { addKeywords } from '../apply/keywords.ts';
import { readChat } from '../apply/read-chat.ts';
import { readStudio } from '../apply/studio.ts';
import type { Applied, Exchange } from '../exchange.ts';
import type { Aim } from '../faults/aim.ts';
import type { Command } from './validate.ts';

/** What is left to do of an exchange, at the moment it is done. */
export type Work = (now: number) => Applied;

/**
 * Begins an exchange. A change asks for its operationId at once and holds it where the work is done later, so
 * that its twin meets a running operation; everything else happens when the work is done.
 */
export function begin(
  exchange: Exchange,
  command: Command,
  now: number,
  hold: boolean,
  aim: Aim | undefined,
): Work {
  switch (command.operation) {
    case 'getAccount':
      return (at) => getAccount(exchange, at);
    case 'addSeoKeywords':
      return (at) => addKeywords(exchange, command, at);
    case 'readChat':
      return () => readChat(exchange, command.input);
    case 'readStudio':
      return () => readStudio(exchange, command.input);
    case 'changeChat': {
      const { world, caller, trace } = exchange;
      const change = { world, caller, trace, input: command.input };
      const claimed = claim(change, now, hold);
      return 'operations' in claimed ? (at) => perform(change, claimed, at, aim) : () => claimed;
    }
  }
}
