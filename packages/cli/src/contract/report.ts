import { codeMeanings } from '@orgchat/spec';
import { singularNames } from '@orgchat/spec/resources/names';
import { toShellWord } from '../args/shell-word.ts';
import type { CliError } from '../errors/cli-error.ts';
import type { Learned } from './learn.ts';
import type { CheckResult } from './run-check.ts';
import type { LeftRecord } from './scratch.ts';
import { type Fact, getTopic, type TopicName, topics } from './topics.ts';
import type { Verdict, VerdictName } from './verdicts.ts';

/* The report of a check, for people. */

export interface Report extends CheckResult {
  readonly baseUrl: string;
  /** What the file of `--against` says otherwise; undefined without one. */
  readonly differences: readonly Learned[] | undefined;
  /** The file that was written. */
  readonly written: string | undefined;
}

/** Why no probe asks for a code. */
const notAsked: Readonly<Record<string, string>> = {
  methodNotAllowed: 'no clause has it',
  keywordLimitExceeded: 'keywords are never written',
  planRequired: 'cannot be caused',
  suspended: 'cannot be caused',
  uncertain: 'cannot be caused',
  quotaExceeded: 'cannot be caused',
  internalError: 'cannot be caused',
  runtimeUnavailable: 'cannot be caused',
};

/** Codes that no probe asks for, with the reason. */
export const listNotAsked = (): readonly (readonly [code: string, reason: string])[] =>
  Object.keys(codeMeanings)
    .filter((meaning) => !Object.hasOwn(topics, `codes.${meaning}`))
    .map((meaning) => [meaning, notAsked[meaning] ?? 'cannot be caused']);

function showFact(fact: Fact, topic: TopicName): string {
  if (fact === '') return topic === 'shapes.one' ? 'the whole answer' : 'the record itself';
  if (typeof fact === 'object' && fact !== null) return fact.length === 0 ? 'none' : fact.join(', ');
  if (typeof fact === 'boolean') return fact ? 'yes' : 'no';
  if (fact === null) return topic === 'shapes.result.delete' ? 'nothing' : 'nowhere';
  return String(fact);
}

const showPlaces = (places: readonly string[]): string =>
  places.length > 4 ? `${places.slice(0, 3).join(', ')} and ${places.length - 3} more` : places.join(', ');

export function showDifference({ topic, seen, verdict }: Verdict): string[] {
  const { title, basis, decided, means, key } = getTopic(topic);
  const found =
    verdict === 'mixed'
      ? seen.map(({ fact, places }) => `${showFact(fact, topic)} (${showPlaces(places)})`).join('; ')
      : showFact(seen[0]?.fact ?? null, topic);
  return [
    `  ${title} (${basis})`,
    `    here: ${found}; decided: ${showFact(decided, topic)}`,
    `    means: ${means}`,
    ...(key === undefined ? [] : [`    key of the description: ${key}`]),
  ];
}

export function showViolation({ violations }: Verdict): string[] {
  return violations.flatMap(({ clause, what, requests }) => [
    `  ${what} (clause ${clause})`,
    ...requests.map((request) => `    ${request}`),
  ]);
}

const section = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [heading, ...lines, ''];

/** Reasons why something is not known, each once with its topics. */
function showUnknown(verdicts: readonly Verdict[]): string[] {
  const byReason = new Map<string, string[]>();
  const add = (reason: string, what: string): void => {
    byReason.set(reason, [...(byReason.get(reason) ?? []), what]);
  };
  for (const { topic, reason = '' } of verdicts) add(reason, getTopic(topic).title);
  for (const [meaning, reason] of listNotAsked()) add(reason, `the code of ${meaning}`);
  return [...byReason].flatMap(([reason, whats]) => [`  ${reason}:`, ...whats.map((what) => `    ${what}`)]);
}

/** What to do about what is left. */
export function listCleaningSteps(left: readonly LeftRecord[]): string[] {
  const unseen = left.flatMap(({ forgettableAt = [] }) => forgettableAt);
  const latest = unseen.toSorted().at(-1);
  return [
    ...(unseen.length < left.length
      ? [
          'Remove what is left: orgchat contract clean. What it cannot remove, delete in the app; then run it again.',
        ]
      : []),
    ...(latest === undefined
      ? []
      : [
          `The server says that it created ${unseen.length} of these, and does not show them. Run this after ${latest}: orgchat contract clean. It removes what is shown by then, and forgets the rest.`,
        ]),
  ];
}

function listSteps({ verdicts, written, stopped, left }: Report): string[] {
  const isDescribable = verdicts.some(
    ({ topic, verdict }) =>
      getTopic(topic).key !== undefined && (verdict === 'differs' || verdict === 'mixed'),
  );
  const violates = verdicts.some(({ verdict }) => verdict === 'violates');
  return [
    ...(stopped === undefined ? [] : ['Run the same command again: it continues where it ended.']),
    ...listCleaningSteps(left),
    ...(violates ? ['Show the violations to those who run the server: it contradicts its contract.'] : []),
    ...(isDescribable && written === undefined
      ? ['Write the description: orgchat contract check -o server.yaml']
      : []),
    ...(written === undefined
      ? []
      : [
          `Use it: --server ${toShellWord(written)}, or have the profile remember it: orgchat auth login --server ${toShellWord(written)}`,
          `Test against its twin: orgchat mock start --server ${toShellWord(written)}`,
          `Look again later: orgchat contract check --against ${toShellWord(written)} --exit-code`,
        ]),
  ];
}

const withVerdict = (verdicts: readonly Verdict[], ...names: readonly VerdictName[]): readonly Verdict[] =>
  verdicts.filter(({ verdict }) => names.includes(verdict));

/** A record that a check created and could not remove. */
export const showLeft = ({ resource, id, name }: LeftRecord): string =>
  `${singularNames[resource]} ${id ?? `named "${name}", if it exists`}`;

/** The report as text: what contradicts the contract, what differs, what is not known, and what to do. */
export function formatReport(report: Report): string {
  const { verdicts, baseUrl, organization, requests, stopped, differences, left } = report;
  const [violating, differing] = [
    withVerdict(verdicts, 'violates'),
    withVerdict(verdicts, 'differs', 'mixed'),
  ];
  const decided = withVerdict(verdicts, 'as decided');
  const unknown = withVerdict(verdicts, 'unknown');
  const steps = listSteps(report);
  return [
    `${baseUrl}, organization ${organization}: ${requests} requests`,
    ...(stopped === undefined ? [] : [`Ended early: ${stopped.message}`]),
    '',
    ...section(
      `Created and not removed: ${left.length}`,
      left.map((record) => `  ${showLeft(record)}`),
    ),
    ...section(`Violates the contract: ${violating.length}`, violating.flatMap(showViolation)),
    ...section(`Differs from the decisions: ${differing.length}`, differing.flatMap(showDifference)),
    ...section(
      `As decided: ${decided.length}`,
      decided.map(({ topic }) => `  ${getTopic(topic).title} (${getTopic(topic).basis})`),
    ),
    ...section('Not known', showUnknown(unknown)),
    ...(differences === undefined
      ? []
      : section(
          `Differs from the file of --against: ${differences.length}`,
          differences.map(
            ({ key, value }) =>
              `  ${key.join('.')}: ${value === undefined ? 'as decided' : JSON.stringify(value)}`,
          ),
        )),
    ...section(
      'What to do',
      steps.length === 0 ? ['  Nothing: the server is as decided.'] : steps.map((step) => `  ${step}`),
    ),
  ]
    .join('\n')
    .replace(/\n*$/, '\n');
}

/** The report as a document, with why files could not be written. */
export function toDocument({
  verdicts,
  stopped,
  differences,
  written,
  errors,
  asked: _,
  ...rest
}: Report & { readonly errors: readonly CliError[] }): object {
  return {
    ...rest,
    ...(stopped !== undefined && { stopped: { reason: stopped.reason, message: stopped.message } }),
    topics: verdicts.map(({ topic, verdict, seen, violations, reason }) => {
      const { basis, decided, key } = getTopic(topic);
      return {
        topic,
        verdict,
        basis,
        decided,
        seen,
        ...(key !== undefined && { key }),
        ...(violations.length > 0 && {
          violations: violations.map(({ topic: _, ...violation }) => violation),
        }),
        ...(verdict === 'unknown' && { reason }),
      };
    }),
    notAsked: listNotAsked().map(([meaning, reason]) => ({ topic: `codes.${meaning}`, reason })),
    ...(differences !== undefined && {
      differences: differences.map(({ key, value }) => ({ key: key.join('.'), value: value ?? null })),
    }),
    ...(written !== undefined && { written }),
    ...(errors.length > 0 && { errors: errors.map((error) => error.toDocument().error) }),
  };
}
