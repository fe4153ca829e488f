import { closeSync, openSync, readSync, statSync } from 'node:fs';

/*
 * SQLite ends the `-wal` file at the first frame that is not valid, and forgets all that come after it. After a crash that is
 * right for a frame that was not written completely, which is the last one. So a bad frame with valid ones of the same salt
 * behind it is damage.
 */

const headerBytes = 32;
const frameHeaderBytes = 24;
const magic = 0x377f0682;

type Sum = readonly [number, number];

/** Continues the checksum of SQLite over words of 32 bits. */
function addToSum([a, b]: Sum, bytes: DataView, from: number, length: number, isLittle: boolean): Sum {
  let [first, second] = [a, b];
  for (let at = from; at < from + length; at += 8) {
    first = (first + bytes.getUint32(at, isLittle) + second) >>> 0;
    second = (second + bytes.getUint32(at + 4, isLittle) + first) >>> 0;
  }
  return [first, second];
}

const isSame = (a: Sum, b: Sum): boolean => a[0] === b[0] && a[1] === b[1];
const readSum = (bytes: DataView, at: number): Sum => [bytes.getUint32(at), bytes.getUint32(at + 4)];

/** Says what is wrong with a `-wal` file that has frames; undefined if nothing is. */
export function findWalDamage(path: string): string | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= headerBytes + frameHeaderBytes) return undefined;
  const file = openSync(path, 'r');
  try {
    return readFrames(file, size);
  } finally {
    closeSync(file);
  }
}

function read(file: number, at: number, length: number): DataView {
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, at);
  return new DataView(bytes.buffer, bytes.byteOffset, length);
}

function readFrames(file: number, size: number): string | undefined {
  const header = read(file, 0, headerBytes);
  const isLittle = header.getUint32(0) === magic;
  const sum = addToSum([0, 0], header, 0, 24, isLittle);
  if ((header.getUint32(0) & ~1) >>> 0 !== magic || !isSame(sum, readSum(header, 24)))
    return 'the header of its -wal file is not valid, so the changes in that file cannot be read';
  const frameBytes = frameHeaderBytes + header.getUint32(8);
  const [salt1, salt2] = [header.getUint32(16), header.getUint32(20)];
  const count = Math.floor((size - headerBytes) / frameBytes);
  /** What the frame before says its checksum is, and what it is. */
  let before: readonly Sum[] = [sum];
  let bad: number | undefined;
  for (let n = 0; n < count; n++) {
    const frame = read(file, headerBytes + n * frameBytes, frameBytes);
    const stored = readSum(frame, 16);
    const hasSalt = frame.getUint32(8) === salt1 && frame.getUint32(12) === salt2;
    const sums = before.map((one) =>
      addToSum(
        addToSum(one, frame, 0, 8, isLittle),
        frame,
        frameHeaderBytes,
        frameBytes - frameHeaderBytes,
        isLittle,
      ),
    );
    const isValid = hasSalt && sums.some((one) => isSame(one, stored));
    if (isValid && bad !== undefined)
      return `frame ${bad + 1} of its -wal file is not valid, and frame ${n + 1} behind it is, so changes would be lost`;
    const [following = stored] = sums;
    if (!hasSalt || !isSame(following, stored)) bad ??= n;
    before = [stored, following];
  }
  return undefined;
}
