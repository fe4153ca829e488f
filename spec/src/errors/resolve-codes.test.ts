import { describe, expect, it } from 'vitest';
import { type CodeMeaning, codeMeanings, meaningsByCode } from './code-meanings.ts';
import { type ErrorCode, errorCatalog, errorCodes } from './error-catalog.ts';
import { createFindMeaning, resolveCodes, type ServerCodes } from './resolve-codes.ts';

function resolved(option?: unknown): ServerCodes {
  const { codes, problem } = resolveCodes(option);
  if (codes === undefined) throw new Error(problem);
  return codes;
}

describe('the meanings of error codes', () => {
  it('has one meaning for each code of the catalog, with its statuses', () => {
    expect(Object.keys(meaningsByCode).sort()).toEqual([...errorCodes].sort());
    for (const [name, { code, statuses }] of Object.entries(codeMeanings)) {
      expect(meaningsByCode[code as ErrorCode]).toBe(name);
      expect(statuses).toEqual(errorCatalog[code as ErrorCode].statuses);
    }
  });
});

describe('resolveCodes', () => {
  it('uses the default codes without the option', () => {
    for (const option of [undefined, {}, { staleRevision: undefined }]) {
      expect(resolved(option).staleRevision).toEqual(['STALE_REVISION']);
      expect(resolved(option).runtimeUnavailable).toEqual(['RUNTIME_UNAVAILABLE']);
    }
  });

  it('replaces only the default of the given meaning', () => {
    const codes = resolved({ staleRevision: 'VERSION_CHANGED', uncertain: ['PENDING', 'IN_DOUBT'] });
    expect(codes.staleRevision).toEqual(['VERSION_CHANGED']);
    expect(codes.uncertain).toEqual(['PENDING', 'IN_DOUBT']);
    expect(codes.inputConflict).toEqual(['INPUT_CONFLICT']);
  });

  it.each([
    [null, 'codes must be an object'],
    ['STALE', 'codes must be an object'],
    [['STALE'], 'codes must be an object'],
    [{ stale: 'X' }, 'codes: "stale" is not a known meaning. Known: unauthorized, forbidden,'],
    [JSON.parse('{"__proto__":"X"}'), 'codes: "__proto__" is not a known meaning.'],
    [{ toString: 'X' }, 'codes: "toString" is not a known meaning.'],
    [{ staleRevision: '' }, 'codes.staleRevision must be a non-empty code or a list of such codes'],
    [{ staleRevision: ' ' }, 'got " ".'],
    [{ staleRevision: [] }, 'got [].'],
    [{ staleRevision: null }, 'got null.'],
    [{ staleRevision: ['A', 5] }, 'got ["A",5].'],
    // An array with a hole.
    [{ staleRevision: Object.assign(['A'], { length: 2 }) }, 'got ["A",null].'],
    [
      { staleRevision: 'A', uncertain: ['B', 'A'] },
      'codes: "A" would mean both staleRevision and uncertain with status 409.',
    ],
    [
      { staleRevision: 'INPUT_CONFLICT' },
      'with status 409. It is the default of inputConflict: give codes.inputConflict another code.',
    ],
    [
      { runtimeUnavailable: 'NOT_FOUND' },
      'with status 404. It is the default of notFound: give codes.notFound another code.',
    ],
  ])('refuses %j', (option, problem) => {
    const { problem: found, codes } = resolveCodes(option);
    expect(found).toContain(problem);
    expect(codes).toBeUndefined();
  });

  it('accepts one code for two meanings without a common status, and one that is listed twice', () => {
    expect(resolveCodes({ notFound: 'GONE', staleRevision: ['GONE', 'GONE'] }).problem).toBeUndefined();
  });
});

describe('createFindMeaning', () => {
  it('finds a code only with a status of its meaning', () => {
    const find = createFindMeaning(resolved({ staleRevision: 'VERSION_CHANGED' }));
    expect(find(409, 'VERSION_CHANGED')).toBe('staleRevision');
    for (const [status, code] of [
      [400, 'VERSION_CHANGED'],
      [409, 'STALE_REVISION'],
      [409, 'version_changed'],
      [409, undefined],
      [409, 'constructor'],
    ] as const) {
      expect(find(status, code)).toBeUndefined();
    }
  });

  it('does not confuse an absent code with the code "undefined"', () => {
    const find = createFindMeaning(resolved({ staleRevision: 'undefined' }));
    expect(find(409, undefined)).toBeUndefined();
    expect(find(409, 'undefined')).toBe('staleRevision');
  });

  it('finds every default with each of its statuses', () => {
    const find = createFindMeaning(resolved());
    for (const [name, { code, statuses }] of Object.entries(codeMeanings)) {
      for (const status of statuses) expect(find(status, code)).toBe(name as CodeMeaning);
    }
  });
});
