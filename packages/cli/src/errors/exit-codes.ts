/** Exit codes, so that scripts do not have to parse output. */
export const exitCodes = {
  done: 0,
  failed: 1,
  differences: 2,
  usage: 3,
  denied: 4,
  conflict: 5,
  notFound: 6,
  unknown: 7,
  declined: 8,
  limited: 9,
  mockNotStarted: 125,
  mockNotRun: 126,
  mockNotFound: 127,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The rows of `orgchat help exit-codes`. */
export const exitCodeMeanings: readonly (readonly [codes: string, meaning: string])[] = [
  ['0', 'done'],
  ['1', 'API or internal error'],
  ['2', 'differences found (only with --exit-code)'],
  ['3', 'invalid usage or input; nothing was sent, or the API rejected the input'],
  ['4', 'authentication or permission'],
  ['5', 'conflict, or an outdated plan'],
  ['', 'also: "mock drill" found a lost or duplicate write'],
  ['6', 'not found'],
  ['7', 'outcome unknown or partly done; the message says how to continue'],
  ['', 'also: changes were made, but the result could not be written to stdout'],
  ['8', 'declined at a prompt'],
  ['9', 'rate limit, quota or deadline exceeded'],
  ['125', '"mock exec" or "mock drill" could not start the mock server'],
  ['', 'also: "mock exec" got invalid arguments'],
  ['126', '"mock exec" or "mock drill" could not run the command'],
  ['127', '"mock exec" or "mock drill" could not find the command'],
  ['130', 'interrupted (Ctrl-C); requests in progress were finished and are in the journal'],
  ['143', 'terminated (SIGTERM); requests in progress were finished and are in the journal'],
  ['', '"mock start" finishes its requests and exits 0 on both signals'],
];
