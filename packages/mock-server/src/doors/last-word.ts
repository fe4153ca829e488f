import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What is remembered of a connection; on the socket itself, since every request passes here. */
interface Connection extends Socket {
  [owed]?: ServerResponse;
  [ended]?: true;
}
const owed = Symbol('owed');
const ended = Symbol('ended');

/** Remembers that the request of this answer arrived whole, so that it is answered whatever follows it. */
export function owe(socket: Socket, response: ServerResponse): void {
  (socket as Connection)[owed] = response;
}

/** Whether the last word is said on a connection, so that nothing that still comes is a request. */
export const isEnding = (socket: Socket): boolean => (socket as Connection)[ended] === true;

/**
 * Ends a connection with a last word. It does not overtake the answers that are still owed: a client that sends
 * several requests at once would take it for the answer to an earlier one. The other side has `lingerMs` to end too,
 * so that it can read the word before its own unread bytes make the end a reset.
 */
export function endWith(socket: Socket, text: string, lingerMs: number): void {
  if (isEnding(socket)) return;
  const connection = socket as Connection;
  connection[ended] = true;
  // Requests that came whole in the same bytes are only now on their way to be owed an answer.
  setImmediate(() => {
    const last = connection[owed];
    if (last === undefined || last.writableFinished || last.destroyed) say(socket, text, lingerMs);
    else last.once('close', () => say(socket, text, lingerMs));
  });
}

function say(socket: Socket, text: string, lingerMs: number): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(text);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
