import type { Language } from './run-drill.ts';

/** A client that is wrong in one way, and the rows that show it. */
export interface WrongClient {
  readonly language: Language;
  readonly mode: string;
  /** By fault: the verdict of each of its writes; null where the fault changes nothing. */
  readonly rows: Readonly<Record<string, readonly ('lost' | 'doubled' | null)[]>>;
}

const lost = ['lost'] as const;
const doubled = ['doubled'] as const;

const rowsOf = <V extends WrongClient['rows'][string]>(verdicts: V, faults: string): Record<string, V> =>
  Object.fromEntries(faults.split(' ').map((fault) => [fault, verdicts]));

/** Faults after which the change is applied but the client got no answer, or may not have got one. */
const unknownApplied = 'lose-response cut-response delay applied-late uncertain-applied';

export const wrongClients: readonly WrongClient[] = [
  { language: 'python', mode: 'new-id-after-timeout', rows: rowsOf(doubled, unknownApplied) },
  {
    language: 'go',
    mode: 'new-id-after-timeout-parallel',
    rows: rowsOf(['doubled', 'doubled'], unknownApplied),
  },
  {
    language: 'go',
    mode: 'new-id-after-5xx',
    rows: rowsOf(doubled, 'status-500-applied status-502-applied'),
  },
  { language: 'go', mode: 'new-id-after-409', rows: rowsOf(doubled, 'applied-late uncertain-applied') },
  { language: 'go', mode: 'takes-409-for-done', rows: rowsOf(lost, 'uncertain-unapplied') },
  { language: 'go', mode: 'gives-up-on-429', rows: rowsOf(lost, 'rate-limited') },
  { language: 'python', mode: 'looks-before-it-creates', rows: rowsOf(doubled, 'applied-late') },
  {
    language: 'typescript',
    mode: 'keywords-again-after-500',
    rows: rowsOf(doubled, 'status-500-applied status-500-unapplied'),
  },
  { language: 'typescript', mode: 'ignores-applied', rows: rowsOf(lost, 'not-applied') },
  { language: 'typescript', mode: 'drops-after-404', rows: rowsOf(lost, 'runtime-unavailable') },
  { language: 'typescript', mode: 'forgets-id-at-kill', rows: rowsOf(doubled, 'kill') },
  { language: 'python', mode: 'random-names-doubled', rows: rowsOf(['doubled', 'doubled'], 'kill') },
  { language: 'python', mode: 'does-nothing-after-kill', rows: rowsOf(['lost', null], 'kill') },
  {
    language: 'python',
    mode: 'retries-keyword-write',
    rows: rowsOf(doubled, 'drop-request lose-response cut-response delay applied-late'),
  },
  { language: 'python', mode: 'resends-keywords-after-kill', rows: rowsOf(doubled, 'kill') },
  {
    language: 'python',
    mode: 'gives-up',
    rows: rowsOf(lost, `drop-request ${unknownApplied} uncertain-unapplied`),
  },
  {
    language: 'python',
    mode: 'other-input-on-retry',
    rows: rowsOf(
      lost,
      `drop-request ${unknownApplied} uncertain-unapplied status-500-applied status-500-unapplied status-502-applied status-502-unapplied rate-limited runtime-unavailable`,
    ),
  },
  {
    language: 'python',
    mode: 'swallows-errors',
    rows: {
      'drop-request': ['lost', 'lost'],
      'uncertain-unapplied': ['lost'],
    },
  },
];

/** The rows that are not ok, in the order of a report of these faults. */
export const listExpected = ({ rows }: WrongClient, order: readonly string[]): string[] => {
  const writes = Math.max(...Object.values(rows).map(({ length }) => length));
  return Array.from({ length: writes }, (_, at) =>
    order.flatMap((fault) => {
      const verdict = rows[fault]?.[at] ?? null;
      return verdict === null ? [] : [`${at + 1} ${fault} ${verdict}`];
    }),
  ).flat();
};

interface RightClient {
  readonly language: Language;
  readonly mode: string;
  /** The faults of the short test; all if undefined, and none if empty. */
  readonly faults?: readonly string[];
}

/** Ways to be right. `right` has a keyword write beside its change. */
const rightModes = ['right', 'random-names', 'parallel', 'own-pacing', 'reconciles'];

/** Those of a second language in the short test: the drill judges what was sent, whatever it was written in. */
const modesAgain: readonly string[] = ['right', 'own-pacing'];

/** Faults that are handled in different places of a client. */
const differentFaults = ['applied-late', 'status-500-applied', 'rate-limited', 'kill'];

/** A process in Go starts so fast that the short test can afford every fault. `npm run soak -- drill` gives all clients all. */
export const rightClients: readonly RightClient[] = [
  ...rightModes.map((mode) => ({ language: 'go' as const, mode })),
  ...(['python', 'typescript'] as const).flatMap((language) =>
    rightModes.map((mode) => ({ language, mode, faults: modesAgain.includes(mode) ? differentFaults : [] })),
  ),
];
