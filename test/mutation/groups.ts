/** What is mutated together, and the tests it is held to, by patterns from the root of the repository. */
export interface Group {
  readonly mutate: readonly string[];
  /** In process and without waiting, so that a mutant takes a moment. */
  readonly tests: readonly string[];
  /** Bundled, the packages are read fast, and once for all test files: nothing mutated may remember one in the next. */
  readonly isBundled: boolean;
}

/** Where `bundle.ts` writes, in Stryker's copy. */
export const bundleFolder = 'test/mutation/bundle';

const mock = 'packages/mock-server';
const sdk = 'packages/sdk/src';
const sdkTest = 'packages/sdk/test';

const mockTests = [
  'test/mutation/in-process.ts',
  `${mock}/src/world/request-limits.test.ts`,
  `${mock}/src/pipeline.test.ts`,
  `${mock}/src/request/body.test.ts`,
  `${mock}/src/request/context.test.ts`,
  `${mock}/src/operations/lifecycle.test.ts`,
  ...[
    'shapes/*',
    ...['apply/*', 'described-server/*'],
    ...['faults/rival-edit', 'faults/delayed-changes'],
    'data-file/restart',
    'history/rewind',
    'why/*',
    ...['request-log/har-times', 'request-log/pages'],
    ...['events/events', 'events/change-events'],
    'seed/seeds',
  ].map((name) => `${mock}/test/${name}.test.ts`),
  // Not those of shapes and limits: they are held in spec/, which is not mutated.
  ...['1', '3', '4-*', '6', '8', '9'].map((section) => `test/contract/clauses/section-${section}.test.ts`),
  'test/contract/clauses/statuses.test.ts',
];

export const groups: Readonly<Record<string, Group>> = {
  pipeline: {
    mutate: [
      `${mock}/src/{pipeline,fault-hooks,world/request-limits}.ts`,
      `${mock}/src/http/{accept-language,bearer-key}.ts`,
      `${mock}/src/{request,operations}/*.ts`,
      '!**/*.test.ts',
    ],
    tests: mockTests,
    isBundled: true,
  },
  apply: {
    mutate: [`${mock}/src/apply/*.ts`, '!**/*.test.ts'],
    tests: mockTests,
    isBundled: true,
  },
  reads: {
    mutate: [`${mock}/src/reads/*.ts`, '!**/*.test.ts'],
    tests: mockTests,
    isBundled: true,
  },
  classify: {
    mutate: [`${sdk}/retry/classify.ts`],
    tests: [`${sdk}/retry/classify.test.ts`],
    isBundled: false,
  },
  retry: {
    mutate: [`${sdk}/retry/retry-delay.ts`, `${sdk}/pipeline/{call,stale-evidence}.ts`],
    tests: [
      `${sdk}/{client,events/events,options/{options,internal-options},errors/redact}.test.ts`,
      `${sdk}/{operations/operations-api,write/begin-when-free}.test.ts`,
      `${sdk}/{resources/edit,lists/list-promise,journal/file/{file-journal,cleaning}}.test.ts`,
      `${sdk}/retry/retry-delay.test.ts`,
      `${sdk}/timing/{deadline,rate-limiter}.test.ts`,
      `${sdk}/pipeline/*.test.ts`,
      `${sdkTest}/calls/{retry-after,faults,redirects,signal,rate-limiter-mock,request-options,concurrency}.test.ts`,
      `${sdkTest}/calls/{broken-calls,changes,recorded-changes,reads}.test.ts`,
      `${sdkTest}/{errors/{errors,error-facts},many-writes/bulk-resume,operations/known-operations,resources/resources}.test.ts`,
      `${sdkTest}/journal/{holder,unusable,lost-hold}.test.ts`,
    ],
    isBundled: false,
  },
  journal: {
    mutate: [
      `${sdk}/journal/{journal,memory}.ts`,
      `${sdk}/journal/conformance/*.ts`,
      `!${sdk}/journal/conformance/*.test.ts`,
      `${sdk}/journal/file/{file-journal,entry-creation,entry-settlement,cleaning,holds,stored-entry}.ts`,
      'packages/atomic-files/src/{atomic-directory,file-lock,make-folder,process-identity}.ts',
    ],
    tests: [
      `${sdk}/journal/{,conformance/,file/}*.test.ts`,
      `${sdkTest}/journal/!(*.services).test.ts`,
      'packages/atomic-files/src/*.test.ts',
    ],
    isBundled: false,
  },
};
