import { type ErrorCode, meaningsByCode, resolveCodes } from '@orgchat/spec';
import type { CodesOption } from './generated/public-types.ts';
import { MockOptionsError } from './options.ts';

/** Turns the option `codes` into what answers go by. Throws a `MockOptionsError` if it is not valid. */
export function createCodeOf(option: CodesOption | undefined): (code: ErrorCode) => string {
  if (option === undefined) return (code) => code;
  const { codes, problem } = resolveCodes(option);
  if (problem !== undefined) throw new MockOptionsError(problem);
  return (code) => codes[meaningsByCode[code]][0];
}
