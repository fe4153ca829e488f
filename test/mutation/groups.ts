/** What is mutated together, and the tests it is held to, by patterns from the root of the repository. */
interface Group {
  readonly mutate: readonly string[];
  /** In process and without waiting, so that a mutant takes a moment. */
  readonly tests: readonly string[];
  /** Reads the packages once for all test files; nothing that is mutated may remember anything from one to the next. */
  readonly isShared: boolean;
}

const mock = 'packages/mock-server';
const sdk = 'packages/sdk/src';

const mockTests = [
  'test/mutation/in-process.ts',
  `${mock}/src/{limiter,operations/lifecycle}.test.ts`,
  `${mock}/src/{steps,apply}/*.test.ts`,
  `${mock}/test/{shapes,edit,durable}.test.ts`,
  // Not those of shapes and limits: they are held in spec/, which is not mutated.
  'test/clauses/{section-[134689]*,statuses}.test.ts',
];

export const groups: Readonly<Record<string, Group>> = {
  pipeline: {
    mutate: [
      `${mock}/src/{pipeline,refusal,limiter,language}.ts`,
      `${mock}/src/{steps,operations}/*.ts`,
      '!**/*.test.ts',
    ],
    tests: mockTests,
    isShared: true,
  },
  apply: {
    mutate: [`${mock}/src/apply/*.ts`, '!**/*.test.ts'],
    tests: mockTests,
    isShared: true,
  },
  classify: {
    mutate: [`${sdk}/classify.ts`],
    tests: [`${sdk}/classify.test.ts`],
    isShared: false,
  },
  retry: {
    mutate: [`${sdk}/{retry,retry-after,call}.ts`],
    tests: [`${sdk}/{retry,call,writes,limits,shown,client}.test.ts`, `${sdk}/journal/file.test.ts`],
    isShared: false,
  },
  journal: {
    mutate: [`${sdk}/journal/{journal,memory,file,owner,stored,conformance}.ts`],
    tests: [`${sdk}/journal/!(crash).test.ts`],
    isShared: false,
  },
};
