/*
 * An inbox bot: adds each message of a friend to the notes for the team, once. It marks the friend as in progress.
 * It shortens no notes: it reports a message that does not fit into them, and one of a friend who is gone.
 *
 *   node bot.js
 *
 * Journal and cursor are folders on the disk of this machine; in a container, they must be on a volume. Whenever the bot is
 * killed, start it again: it continues with the message it was working on. Only one can run at a time.
 */
import { createClient, NotFoundError } from '@orgchat/sdk';
import { fileCursor, fileJournal } from '@orgchat/sdk/node';

/** The notes have no room for a message. Nothing is written then, so the intent of the message stays unused. */
class NotesFull extends Error {}

const { STATE_DIR = './state', EVERY_MS } = process.env;
const client = createClient({ journal: fileJournal(`${STATE_DIR}/journal`) });
const cursor = fileCursor('inbox', { directory: `${STATE_DIR}/cursors` });
const everyMs = EVERY_MS === undefined ? undefined : Number(EVERY_MS);

for await (const event of client.watch({ messages: true }, { cursor, everyMs })) {
  if (event.type === 'gap') console.error('Look at the inbox: messages may be missing since', event.since);
  if (event.type !== 'message') continue;
  const { friend, record } = event;
  try {
    // An event that comes again has the same id, so the notes get each message once.
    await client.friends.edit(
      friend,
      (data) => {
        // Notes may contain neither NUL nor half a character, and a message may.
        const text = (record.text ?? '').toWellFormed().replaceAll('\0', '');
        const notes = `${data.notes ?? ''}\n${text}`.trim();
        if (Array.from(notes).length > 2_000) throw new NotesFull();
        return { notes, status: 'in_progress' };
      },
      { intent: ['inbox', event.id] },
    );
    console.log(`Noted ${event.id}`);
  } catch (error) {
    // An event that comes again may be in the notes already.
    if (error instanceof NotesFull)
      console.error(`Look at the message, because the notes have no room for it: ${event.id}`);
    else if (error instanceof NotFoundError && error.meaning === 'notFound')
      console.error(`Not noted, because the friend is gone: ${event.id}`);
    // Anything else ends the bot, and the message comes again.
    else throw error;
  }
}
