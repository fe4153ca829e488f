/* Which page of the site each section of the repository's texts becomes. The texts themselves are not changed. */

export const parts = ['tutorial', 'how-to', 'reference', 'explanation'] as const;
export type Part = (typeof parts)[number];

export interface Source {
  /** The path in the repository. */
  readonly file: string;
  /** The group of the navigation, and the folder of the pages. */
  readonly name: string;
  readonly title: string;
  /** Where its beginning is, and every section of the second level that is not named below. */
  readonly part: Part;
  /** Whether each section of the second level is a page of its own. */
  readonly isSplit?: boolean;
  /** Sections in another part, by heading. */
  readonly sections?: Readonly<Partial<Record<Part, readonly string[]>>>;
}

export const sources: readonly Source[] = [
  {
    file: 'README.md',
    name: 'start',
    title: 'Start',
    part: 'tutorial',
    isSplit: true,
    sections: { explanation: ['Known limits of the guarantee'] },
  },
  {
    file: 'docs/cookbook.md',
    name: 'recipes',
    title: 'Recipes',
    part: 'how-to',
    isSplit: true,
  },
  {
    file: 'packages/sdk/README.md',
    name: 'sdk',
    title: 'SDK',
    part: 'explanation',
    isSplit: true,
    sections: {
      'how-to': ['Recipes', 'From raw fetch', 'Testing your code', 'Examples'],
      reference: ['The client', 'Errors', 'Options', 'Events and logging', 'Runtimes'],
    },
  },
  {
    file: 'packages/mock-server/README.md',
    name: 'mock-server',
    title: 'Mock server',
    part: 'explanation',
    isSplit: true,
    sections: {
      'how-to': ['Recipes', 'Test fixtures', 'Sandboxes'],
      reference: ['Demo keys and data', 'Options of createMock', 'Data file', 'Faults', 'Control API'],
    },
  },
  { file: 'packages/mock-server/SEEDS.md', name: 'seeds', title: 'Seeds', part: 'reference' },
  {
    file: 'packages/mock-server/LIFECYCLE.md',
    name: 'lifecycle',
    title: 'Life of an operation',
    part: 'explanation',
  },
  {
    file: 'packages/cli/README.md',
    name: 'cli',
    title: 'Command',
    part: 'reference',
    isSplit: true,
    sections: {
      'how-to': [
        'Check a server',
        'Operations',
        'Shared journal',
        'Keywords',
        'Configuration files',
        'Mock server',
      ],
    },
  },
  {
    file: 'packages/fleet/README.md',
    name: 'fleet',
    title: 'Fleet',
    part: 'explanation',
    isSplit: true,
    sections: {
      'how-to': ['Start', 'Operating it', 'Redis', 'BullMQ'],
      reference: ['Tables and upgrades', 'Errors', 'Options'],
    },
  },
  { file: 'docs/ci.md', name: 'ci', title: 'Run it in CI', part: 'how-to' },
  { file: 'docs/inspector.md', name: 'inspector', title: 'Inspector', part: 'how-to' },
  { file: 'docs/runbook.md', name: 'runbook', title: 'Runbook', part: 'how-to' },
  { file: 'docs/scale.md', name: 'scale', title: 'Scale', part: 'explanation' },
  { file: 'docs/comparison.md', name: 'comparison', title: 'Comparison', part: 'explanation' },
  { file: 'docs/architecture.md', name: 'architecture', title: 'Architecture', part: 'explanation' },
  {
    file: 'docs/server-description.md',
    name: 'server-description',
    title: 'Description of a server',
    part: 'reference',
  },
  { file: 'docs/servers.md', name: 'servers', title: 'Servers that answer otherwise', part: 'reference' },
  { file: 'spec/SPECIFICATION.md', name: 'specification', title: 'Contract', part: 'reference' },
  { file: 'spec/DECISIONS.md', name: 'decisions', title: 'Decisions', part: 'reference' },
  { file: 'CONTRIBUTING.md', name: 'contributing', title: 'Contributing', part: 'explanation' },
  { file: 'SECURITY.md', name: 'security', title: 'Security', part: 'explanation' },
];
