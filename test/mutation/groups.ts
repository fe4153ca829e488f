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

const mockTests = [
  'test/mutation/in-process.ts',
  `${mock}/src/limiter.test.ts`,
  `${mock}/src/pipeline.test.ts`,
  `${mock}/src/operations/lifecycle.test.ts`,
  ...['shapes/*', 'edit', 'durable'].map((name) => `${mock}/test/${name}.test.ts`),
  // Not those of shapes and limits: they are held in spec/, which is not mutated.
  ...['1', '3', '4-*', '6', '8', '9'].map((section) => `test/clauses/section-${section}.test.ts`),
  'test/clauses/statuses.test.ts',
];

export const groups: Readonly<Record<string, Group>> = {
  pipeline: {
    mutate: [
      `${mock}/src/{pipeline,refusal,limiter,language}.ts`,
      `${mock}/src/{steps,operations}/*.ts`,
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
  classify: {
    mutate: [`${sdk}/classify.ts`],
    tests: [`${sdk}/classify.test.ts`],
    isBundled: false,
  },
  retry: {
    mutate: [`${sdk}/{retry,retry-after,call,stale-evidence}.ts`],
    tests: [
      `${sdk}/{retry,call,client,pages,faults,resources/*}.test.ts`,
      `${sdk}/{redact,redirects,events,options,errors/errors}.test.ts`,
      `${sdk}/{retry-after,deadline,signal,pacing}.test.ts`,
      `${sdk}/{changes,known-operations,keyword-writes,reads,stale-evidence}.test.ts`,
      `${sdk}/journal/{file,holder,unusable,cleaning}.test.ts`,
    ],
    isBundled: false,
  },
  journal: {
    mutate: [
      `${sdk}/journal/{journal,memory,file,whole-files,claims,cleaning,holds,make-folder,owner,stored,conformance}.ts`,
    ],
    tests: [`${sdk}/journal/!(crash|faults).test.ts`],
    isBundled: false,
  },
};
