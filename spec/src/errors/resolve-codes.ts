import { type CodeMeaning, codeMeanings } from './code-meanings.ts';

/** The option `codes`: a code set for a meaning replaces its default. */
export type CodesOption = { readonly [M in CodeMeaning]?: string | readonly string[] | undefined };

/** The codes of every meaning, at least one each. The mock server sends the first. */
export type ServerCodes = Readonly<Record<CodeMeaning, readonly [string, ...string[]]>>;

/** The resolved codes, or one sentence that says what is wrong with the option. */
export type ResolvedCodes =
  | { readonly codes: ServerCodes; readonly problem?: undefined }
  | { readonly codes?: undefined; readonly problem: string };

const meaningNames = Object.keys(codeMeanings) as CodeMeaning[];

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

function isList(value: readonly unknown[]): value is readonly [string, ...string[]] {
  // Array.from() sees the holes of an array, which every() skips.
  return (
    value.length > 0 && Array.from(value).every((code) => typeof code === 'string' && code.trim() !== '')
  );
}

/** Resolves the option `codes` to the codes of every meaning, or says what is wrong with it. */
export function resolveCodes(option: unknown = {}): ResolvedCodes {
  if (typeof option !== 'object' || option === null || Array.isArray(option)) {
    return {
      problem: `codes must be an object such as { staleRevision: 'VERSION_CHANGED' }; got ${show(option)}.`,
    };
  }
  for (const name of Object.keys(option)) {
    if (!Object.hasOwn(codeMeanings, name)) {
      return { problem: `codes: ${show(name)} is not a known meaning. Known: ${meaningNames.join(', ')}.` };
    }
  }
  const given: CodesOption = option;
  const codes: Partial<Record<CodeMeaning, readonly [string, ...string[]]>> = {};
  for (const name of meaningNames) {
    const value: unknown = given[name] === undefined ? codeMeanings[name].code : given[name];
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!isList(list)) {
      return {
        problem: `codes.${name} must be a non-empty code or a list of such codes, got ${show(value)}.`,
      };
    }
    codes[name] = list;
  }
  const resolved = codes as ServerCodes;
  const problem = findClash(resolved, given);
  return problem === undefined ? { codes: resolved } : { problem };
}

/** One code with two meanings under one status would be ambiguous. */
function findClash(codes: ServerCodes, given: CodesOption): string | undefined {
  const seen = new Map<string, CodeMeaning>();
  for (const name of meaningNames) {
    for (const status of codeMeanings[name].statuses) {
      for (const code of codes[name]) {
        const other = seen.get(`${status} ${code}`) ?? name;
        seen.set(`${status} ${code}`, name);
        if (other === name) continue;
        const unset = [other, name].find((one) => given[one] === undefined);
        const advice =
          unset === undefined ? '' : ` It is the default of ${unset}: give codes.${unset} another code.`;
        return `codes: ${show(code)} would mean both ${other} and ${name} with status ${status}.${advice}`;
      }
    }
  }
  return undefined;
}

/** Finds the meaning of a code that came with a status; undefined if the code is not known with that status. */
export type FindMeaning = (status: number, code: string | undefined) => CodeMeaning | undefined;

/** Creates the look-up of meanings for resolved codes. */
export function createFindMeaning(codes: ServerCodes): FindMeaning {
  const meanings = new Map<string, CodeMeaning>();
  for (const name of meaningNames) {
    for (const status of codeMeanings[name].statuses) {
      for (const code of codes[name]) meanings.set(`${status} ${code}`, name);
    }
  }
  return (status, code) => (code === undefined ? undefined : meanings.get(`${status} ${code}`));
}
