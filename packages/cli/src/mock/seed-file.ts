import { open, rename, rm } from 'node:fs/promises';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';

/** Writes a file that is not there before it is whole. */
export async function writeWhole(
  file: string,
  work: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    const handle = await open(draft, 'w');
    try {
      await work(async (text) => void (await handle.write(text)));
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new Failure(
      `${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        code: 'FILE_UNWRITABLE',
        exit: exitCodes.failed,
        hint: 'Name another file with -o, or write to standard output: -o -',
        cause,
      },
    );
  }
}
