import { type CliError, invalidInputError } from '../errors/cli-error.ts';

/** The first bytes of a text that name its encoding. UTF-32 comes first: in little endian, it begins like UTF-16. */
const byteOrderMarks: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['UTF-32', [0xff, 0xfe, 0, 0]],
  ['UTF-32', [0, 0, 0xfe, 0xff]],
  ['UTF-16', [0xff, 0xfe]],
  ['UTF-16', [0xfe, 0xff]],
];

/** Guesses UTF-16 without a byte order mark: line ends and ASCII characters have a zero byte, on the same side. */
function guessUtf16(bytes: Uint8Array): string | undefined {
  const zeros = bytes.reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0);
  const inFront = bytes.reduce((sum, byte, index) => sum + (byte === 0 && index % 2 === 0 ? 1 : 0), 0);
  if (bytes.length % 2 === 1) return undefined;
  // A few other characters have a zero byte on the other side.
  if (inFront <= zeros / 5) return 'UTF-16LE';
  return inFront >= (zeros * 4) / 5 ? 'UTF-16BE' : undefined;
}

const convert = (encoding: string): string => `iconv -f ${encoding} -t UTF-8`;

/**
 * The error of a text that is not UTF-8. A wrong conversion destroys a text without an error, so only an encoding that
 * shows in the bytes is named as certain.
 */
export function encodingError(bytes: Uint8Array, shown: string): CliError {
  const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
  if (marked !== undefined)
    return invalidInputError(`${shown} is ${marked}, not UTF-8 text.`, `Convert it: ${convert(marked)}`);
  if (!bytes.includes(0))
    return invalidInputError(
      `${shown} is not UTF-8 text.`,
      `Save it as UTF-8, or convert it, for example from CP932 or LATIN1: ${convert('CP932')}. Check the result before you send it: a wrong encoding destroys the text without an error.`,
    );
  const guessed = guessUtf16(bytes);
  if (guessed === undefined)
    return invalidInputError(`${shown} is not text: it contains NUL bytes.`, 'Pass a file with UTF-8 text.');
  return invalidInputError(
    `${shown} is not UTF-8 text: it contains NUL bytes, like ${guessed}.`,
    `Save it as UTF-8, or convert it: ${convert(guessed)}. Check the result before you send it.`,
  );
}
