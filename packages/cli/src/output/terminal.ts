/* What is known of the places output goes to. No other module asks process.stdout or process.stderr. */

export type Stream = 'stdout' | 'stderr';

export const isTerminal = (stream: Stream): boolean => process[stream].isTTY === true;

/** Set to something: an empty variable counts as unset (https://no-color.org). */
const given = (value: string | undefined): value is string => value !== undefined && value !== '';
const isOff = (value: string): boolean => value === '0' || value.toLowerCase() === 'false';

/**
 * Whether to use colors. `NO_COLOR` disables them everywhere, `FORCE_COLOR` and `CLICOLOR_FORCE` enable them in a
 * pipe, too, `CLICOLOR=0` and `TERM=dumb` disable them on a terminal.
 */
export function usesColors(stream: Stream, env: NodeJS.ProcessEnv = process.env): boolean {
  if (given(env.NO_COLOR)) return false;
  if (given(env.FORCE_COLOR)) return !isOff(env.FORCE_COLOR);
  if (given(env.CLICOLOR_FORCE) && !isOff(env.CLICOLOR_FORCE)) return true;
  return isTerminal(stream) && env.CLICOLOR !== '0' && env.TERM !== 'dumb';
}

/** Whether codes that move the cursor and erase lines are understood. */
export const movesCursor = (stream: Stream, env: NodeJS.ProcessEnv = process.env): boolean =>
  isTerminal(stream) && env.TERM !== 'dumb';

/** How wide the output may be, in columns; undefined if it has no limit. `COLUMNS` limits it in a pipe too. */
export function getColumns(stream: Stream, env: NodeJS.ProcessEnv = process.env): number | undefined {
  const asked = Number(env.COLUMNS);
  const isAsked = Number.isSafeInteger(asked) && asked > 0;
  // A terminal that is 0 columns wide does not know its size (some logs of CI).
  if (isTerminal(stream)) return process[stream].columns || (isAsked ? asked : 80);
  return isAsked ? asked : undefined;
}

const codes = { bold: [1, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;
export type Style = keyof typeof codes;

/** Paints text for a stream; without colors the text stays as it is. */
export function createPainter(stream: Stream): (style: Style, text: string) => string {
  if (!usesColors(stream)) return (_style, text) => text;
  return (style, text) => `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m`;
}

/** The codes of `painter`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const ownStyleCodes = /(\u001b\[(?:1|22|31|32|33|39)m)/;
