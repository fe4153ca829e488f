/** What a script learns from the command's end, and nothing else has to be parsed for it. */
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
  ['2', 'there are differences (only with --exit-code)'],
  ['3', 'usage or input: nothing was sent, or the API refused the input'],
  ['4', 'authentication or permission'],
  ['5', 'conflict, or a plan that is no longer current'],
  ['6', 'not found'],
  ['7', 'outcome unknown or partly done; the operation ids are printed, "orgchat ops resume" asks again'],
  ['', 'also: the changes were made, but their result could not be written to stdout'],
  ['8', 'declined at a prompt'],
  ['9', 'a limit or the deadline was reached'],
  ['125', '"mock exec" could not start the mock server, or does not take these arguments'],
  ['126', '"mock exec" could not run the command'],
  ['127', '"mock exec" could not find the command'],
  ['130', 'interrupted (Ctrl-C); what was in flight was finished and is in the journal'],
  ['143', 'terminated (SIGTERM); what was in flight was finished and is in the journal'],
];
