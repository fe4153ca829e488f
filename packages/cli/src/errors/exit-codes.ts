/**
 * Every exit code, so that scripts do not have to parse output. `meaning` is a line of `orgchat help exit-codes` each; the
 * table in README.md says the same.
 */
const rows = {
  done: { code: 0, meaning: ['done'] },
  failed: { code: 1, meaning: ['API or internal error'] },
  differences: { code: 2, meaning: ['differences found (only with --exit-code)'] },
  usage: {
    code: 3,
    meaning: [
      'invalid usage or input; nothing was sent, or the API rejected the input',
      'also: a required confirmation without a terminal',
    ],
  },
  denied: { code: 4, meaning: ['authentication or permission'] },
  conflict: {
    code: 5,
    meaning: ['conflict, or an outdated plan', 'also: "mock drill" found a lost or duplicate write'],
  },
  notFound: { code: 6, meaning: ['not found'] },
  unknown: {
    code: 7,
    meaning: [
      'outcome unknown or partly done; the message says how to continue',
      'also: changes were made, but the result could not be written to stdout',
    ],
  },
  declined: { code: 8, meaning: ['declined at a prompt'] },
  limited: { code: 9, meaning: ['rate limit, quota or deadline exceeded'] },
  mockNotStarted: {
    code: 125,
    meaning: [
      '"mock exec" or "mock drill" could not start the mock server',
      'also: "mock exec" got invalid arguments',
    ],
  },
  mockNotRun: { code: 126, meaning: ['"mock exec" or "mock drill" could not run the command'] },
  mockNotFound: { code: 127, meaning: ['"mock exec" or "mock drill" could not find the command'] },
  hungUp: {
    code: 129,
    meaning: ['the terminal was closed (SIGHUP); requests in progress were finished and are in the journal'],
  },
  interrupted: {
    code: 130,
    meaning: ['interrupted (Ctrl-C); requests in progress were finished and are in the journal'],
  },
  terminated: {
    code: 143,
    meaning: [
      'terminated (SIGTERM); requests in progress were finished and are in the journal',
      '"mock start" finishes its requests and exits 0 on these signals',
    ],
  },
} as const;

type Rows = typeof rows;

const entries = Object.entries(rows);

export const exitCodes = Object.fromEntries(entries.map(([name, { code }]) => [name, code])) as {
  readonly [Name in keyof Rows]: Rows[Name]['code'];
};
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Every exit code with the lines that say what it means. */
export const exitCodeMeanings: readonly (readonly [code: ExitCode, meaning: readonly string[]])[] =
  entries.map(([, { code, meaning }]) => [code, meaning]);
