import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMock, DataFileError, type Mock, type MockOptions } from '../../src/index.ts';
import { data } from '../../test-support/data.ts';
import { RestartableMock } from '../../test-support/restartable-mock.ts';

const tagChange = { action: 'create-tags', data: data.tags };
const file = new RestartableMock();
const walHeader = 32;
const frame = 24 + 4096;

/** Main file and `-wal` file, as bytes. */
interface Files {
  readonly main: Buffer | undefined;
  readonly wal: Buffer | undefined;
}

const read = (path: string): Buffer | undefined => (existsSync(path) ? readFileSync(path) : undefined);
const readFiles = (path: string): Files => ({ main: read(path), wal: read(`${path}-wal`) });

/** Puts files where the data file of this test is not. */
function put({ main, wal }: Files): string {
  const path = `${file.path}.copy`;
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(basename(path))) rmSync(`${dirname(path)}/${name}`);
  if (main !== undefined) writeFileSync(path, main);
  if (wal !== undefined) writeFileSync(`${path}-wal`, wal);
  return path;
}

/** A state in a form that two runs share. */
function toText(mock: Mock): string {
  const sorted = (_name: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify({ ...(mock.state() as object), savedAt: '' }, sorted);
}

/** The files that a crash leaves after some changes, those of a clean end, and the states after each change. */
async function makeFiles(count: number) {
  const { mock, caller } = file.start({ rateLimit: 60 });
  const states = [toText(mock)];
  for (let n = 0; n < count; n++) {
    await caller.apply(tagChange);
    states.push(toText(mock));
  }
  const crashed = readFiles(file.path);
  file.close();
  return { crashed, closed: readFiles(file.path), states };
}

const open = (path: string, options: MockOptions = {}): string => {
  const mock = createMock({ data: path, rateLimit: 60, ...options });
  const text = toText(mock);
  mock.close();
  return text;
};

const isSame = (a: Buffer | undefined, b: Buffer | undefined): boolean =>
  a === undefined || b === undefined ? a === b : a.equals(b);

function expectSame(a: Files, b: Files): void {
  expect([isSame(a.main, b.main), isSame(a.wal, b.wal)]).toEqual([true, true]);
}

/** Expects that a start with files is refused, and that they are not modified. */
function expectRefused(files: Files, message: RegExp): void {
  const path = put(files);
  let error: unknown;
  try {
    open(path);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(DataFileError);
  expect((error as Error).message).toMatch(message);
  expectSame(readFiles(path), files);
}

const flip = (bytes: Buffer, bit: number): Buffer => {
  const changed = Buffer.from(bytes);
  changed[bit >> 3]! ^= 1 << (bit & 7);
  return changed;
};

describe('the files of a server that ended without closing them', () => {
  it('have the last state', async () => {
    const { crashed, closed, states } = await makeFiles(5);
    expect(closed.wal).toBeUndefined();
    for (const files of [crashed, closed]) expect(open(put(files))).toBe(states.at(-1));
  });

  it('are refused if a frame is bad and valid ones are behind it', async () => {
    const { crashed } = await makeFiles(8);
    const frames = Math.floor((crashed.wal!.length - walHeader) / frame);
    for (const bad of [0, 1, frames - 2]) {
      const bit = (walHeader + bad * frame + 200) * 8;
      expectRefused(
        { ...crashed, wal: flip(crashed.wal!, bit) },
        new RegExp(`frame ${bad + 1} of its -wal file`),
      );
    }
    const zeros = Buffer.from(crashed.wal!).fill(0, walHeader, walHeader + 2 * frame);
    expectRefused({ ...crashed, wal: zeros }, /frame 1 of its -wal file is not valid.*frame \d behind it is/);
    expectRefused(
      { ...crashed, wal: flip(crashed.wal!, 17 * 8) },
      /the header of its -wal file is not valid/,
    );
  });

  it('have the state before the last batch if that was not written completely', async () => {
    const { crashed, states } = await makeFiles(5);
    const cut = crashed.wal!.subarray(0, crashed.wal!.length - 100);
    expect(open(put({ ...crashed, wal: cut }))).toBe(states.at(-2));
  });

  it('are refused without their -wal file, and if it is empty', async () => {
    const { crashed } = await makeFiles(2);
    expectRefused(
      { ...crashed, wal: undefined },
      /its -wal file is missing.*not modified.*--data-accept-loss/,
    );
    expectRefused({ ...crashed, wal: Buffer.alloc(0) }, /its -wal file is empty/);
  });

  it('are refused without their main file, and if it is empty', async () => {
    const { crashed } = await makeFiles(2);
    expectRefused({ ...crashed, main: undefined }, /the file is missing, but its -wal file is not/);
    expectRefused({ ...crashed, main: Buffer.alloc(0) }, /the file is empty, but its -wal file is not/);
  });
});

it('a text that is not UTF-8 is refused', async () => {
  const { closed } = await makeFiles(2);
  const main = Buffer.from(closed.main!);
  main[main.lastIndexOf('create-tags')] = 0xff;
  expectRefused({ ...closed, main }, /is damaged: batch \d+ is not as it was written/);
});

it('a bit that is flipped anywhere is noticed, or loses at most the last batch', {
  timeout: 60_000,
}, async () => {
  const { crashed, closed, states } = await makeFiles(12);
  const places = fc.record({
    place: fc.constantFrom<{ files: Files; name: 'main' | 'wal' }>(
      { files: crashed, name: 'main' },
      { files: crashed, name: 'wal' },
      { files: closed, name: 'main' },
    ),
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
  fc.assert(
    fc.property(places, ({ place: { files, name }, at }) => {
      const bytes = files[name]!;
      const damaged = { ...files, [name]: flip(bytes, Math.floor(at * bytes.length * 8)) };
      const path = put(damaged);
      try {
        const state = open(path);
        expect(states.slice(-2)).toContain(state);
      } catch (error) {
        if (!(error instanceof DataFileError)) throw error;
        expectSame(readFiles(path), damaged);
      }
    }),
    { numRuns: 60 },
  );
});

describe('a loss that is accepted', () => {
  it('starts with what can be read, reports it, and keeps the damaged files', async () => {
    const { crashed, states } = await makeFiles(6);
    const bit = (walHeader + 6 * frame + 200) * 8;
    const damaged = { ...crashed, wal: flip(crashed.wal!, bit) };
    const path = put(damaged);
    const errors: Error[] = [];
    const options = { dataAcceptLoss: true, onError: (error: unknown) => void errors.push(error as Error) };
    const state = open(path, options);
    expect(states.slice(0, -1)).toContain(state);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /frame 7 of its -wal file.*What could be read is used; the damaged files are .*damaged-/,
      ),
    ]);
    const [aside = ''] = readdirSync(dirname(path)).filter((name) => /\.damaged-[\dTZ-]+$/.test(name));
    expectSame(readFiles(`${dirname(path)}/${aside}`), damaged);
    expect(open(path)).toBe(state);
  });

  it('starts with the seed if nothing can be read', async () => {
    const { crashed, states } = await makeFiles(2);
    const path = put({ ...crashed, main: undefined });
    expect(open(path, { dataAcceptLoss: true, onError: () => {} })).toBe(states[0]);
  });

  it('changes nothing about files that are not damaged, and accepts no foreign file', async () => {
    const { crashed, states } = await makeFiles(2);
    expect(open(put(crashed), { dataAcceptLoss: true })).toBe(states.at(-1));
    const path = put({ main: Buffer.from('Dear diary, '.repeat(20)), wal: undefined });
    expect(() => open(path, { dataAcceptLoss: true })).toThrow(/not a mock server data file/);
  });
});
