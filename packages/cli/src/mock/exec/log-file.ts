import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import type { Mock } from '@orgchat/mock-server';
import { usageError } from '../../errors/cli-error.ts';
import { checkFileName } from '../../output/write-file.ts';
import type { RecordedRequest } from './request-recorder.ts';

/** A file that gets each request when it has ended. */
export interface LogFile {
  write(request: RecordedRequest): void;
  /** Completes the file. Returns what went wrong, if anything did. */
  close(): Error | undefined;
}

/** How a log is written: what precedes and follows the requests, and what stands between them. */
interface LogFormat {
  readonly start: string;
  readonly separator: string;
  readonly end: string;
  readonly toText: (request: RecordedRequest) => string;
}

const ndjson = (): LogFormat => ({
  start: '',
  separator: '',
  end: '',
  toText: ({ message, sandbox }) =>
    `${JSON.stringify({ sandbox: sandbox ?? null, ...message.getDetail() })}\n`,
});

/** The head is that of the mock's own archive, which is still empty. */
function har(mock: Mock): LogFormat {
  const text = JSON.stringify(mock.requests.har());
  const end = text.lastIndexOf(']');
  return {
    start: text.slice(0, end),
    separator: ',\n',
    end: `${text.slice(end)}\n`,
    toText: ({ message, baseUrl }) => JSON.stringify(message.getHarEntry(baseUrl)),
  };
}

const formats: Readonly<Record<string, (mock: Mock) => LogFormat>> = {
  '.har': har,
  '.ndjson': ndjson,
  '.jsonl': ndjson,
};

/** Throws unless the log can be written: its name says the format. */
export async function checkLogFile(name: string): Promise<void> {
  if (!Object.hasOwn(formats, extname(name).toLowerCase()))
    throw usageError(
      `--log must be a file that ends with ${Object.keys(formats).join(', ')}, got "${name}".`,
      'Example: --log requests.har for an HTTP archive, or --log requests.ndjson for a line per request.',
    );
  await checkFileName(name);
}

/** Opens a log that only the owner can read: it has the bodies of all requests. */
export function openLogFile(name: string, mock: Mock): LogFile {
  const format = (formats[extname(name).toLowerCase()] ?? ndjson)(mock);
  const file = openSync(name, 'w', 0o600);
  // The mode of an existing file stays when it is opened.
  if (fstatSync(file).isFile()) fchmodSync(file, 0o600);
  let isFirst = true;
  let problem: Error | undefined;
  const append = (text: string): void => {
    if (problem !== undefined) return;
    try {
      for (let rest = Buffer.from(text); rest.length > 0; ) rest = rest.subarray(writeSync(file, rest));
    } catch (error) {
      problem = error as Error;
    }
  };
  append(format.start);
  return {
    write: (request) => {
      append(`${isFirst ? '' : format.separator}${format.toText(request)}`);
      isFirst = false;
    },
    close: () => {
      append(format.end);
      closeSync(file);
      return problem;
    },
  };
}
