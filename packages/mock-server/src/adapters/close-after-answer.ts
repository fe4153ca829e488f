import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The state of a connection; kept on the socket, since every request passes here. */
interface Connection extends Socket {
  [pendingAnswer]?: ServerResponse;
  [closing]?: true;
}
const pendingAnswer = Symbol('pendingAnswer');
const closing = Symbol('closing');

/** Remembers the answer to a complete request, so that it is sent before the connection is closed. Returns that of the request before. */
export function replacePendingAnswer(socket: Socket, response: ServerResponse): ServerResponse | undefined {
  const connection = socket as Connection;
  const before = connection[pendingAnswer];
  connection[pendingAnswer] = response;
  return before;
}

/** Runs a function once an answer is sent, and with it all before it on its connection. */
export function afterAnswer(answer: ServerResponse | undefined, run: () => void): void {
  if (answer === undefined || answer.writableFinished || answer.destroyed) run();
  else answer.once('close', run);
}

/** Whether a connection is being closed, so that further bytes are ignored. */
export const isClosing = (socket: Socket): boolean => (socket as Connection)[closing] === true;

/**
 * Closes a connection with a final text, after the answers that are still pending: a client that sends several requests
 * at once would take the text for the answer to an earlier one. The client has `lingerMs` to close its side, so that it
 * can read the text before its own unread bytes turn the close into a reset.
 */
export function closeAfterAnswer(socket: Socket, text: string, lingerMs: number): void {
  if (isClosing(socket)) return;
  const connection = socket as Connection;
  connection[closing] = true;
  // Complete requests in the same bytes are registered only after this turn of the event loop.
  setImmediate(() => {
    afterAnswer(connection[pendingAnswer], () => sendAndClose(socket, text, lingerMs));
  });
}

function sendAndClose(socket: Socket, text: string, lingerMs: number): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(text);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
