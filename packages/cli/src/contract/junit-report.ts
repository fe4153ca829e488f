import { type JunitCase, writeJunitFile } from '../output/junit.ts';
import { probes } from './probes.ts';
import { listNotAsked, type Report, showDifference, showViolation } from './report.ts';
import { getTopic, type TopicName } from './topics.ts';
import type { Verdict } from './verdicts.ts';

/* The report of a check, for programs that collect results of tests. */

/** The group that asks about a topic, as a class. */
const getGroup = (topic: TopicName): string =>
  `contract.${probes.find(({ topics }) => topics.includes(topic))?.group}`;

function toCase(verdict: Verdict, differing: ReadonlySet<TopicName>): JunitCase {
  const { topic, reason } = verdict;
  const { title, basis } = getTopic(topic);
  const one = { group: getGroup(topic), name: `${topic}: ${title} (${basis})` };
  switch (verdict.verdict) {
    case 'violates': {
      const [message = ''] = verdict.violations.map(({ clause, what }) => `${what} (clause ${clause})`);
      return { ...one, failure: { type: 'violates', message, details: showViolation(verdict).join('\n') } };
    }
    case 'unknown':
      return { ...one, skipped: reason ?? '' };
    case 'as decided':
      return differing.has(topic) ? { ...one, failure: toFailure(verdict) } : one;
    default:
      return differing.has(topic)
        ? { ...one, failure: toFailure(verdict) }
        : { ...one, note: showDifference(verdict).join('\n') };
  }
}

const toFailure = (verdict: Verdict): JunitCase['failure'] => ({
  type: 'differs',
  message: 'the server differs from the file of --against',
  details: showDifference(verdict).join('\n'),
});

/**
 * Writes a JUnit report: one test case per topic, in the class of its group. It fails if it contradicts the contract, or if it
 * differs from the file of `--against`. What is not known is skipped, with the reason.
 */
export async function writeJunit(file: string, report: Report): Promise<void> {
  const { verdicts, differences = [], baseUrl, stopped, left } = report;
  const differing = new Set(differences.map(({ topic }) => topic));
  const notAsked = listNotAsked().map(
    ([meaning, skipped]): JunitCase => ({
      group: 'contract.codes',
      name: `codes.${meaning}`,
      skipped,
    }),
  );
  const unfinished = [
    ...(stopped === undefined ? [] : [`It ended early: ${stopped.message}`]),
    ...(left.length === 0
      ? []
      : [`${left.length} records were created and not removed: orgchat contract clean`]),
  ];
  const run: JunitCase = {
    group: 'contract.run',
    name: 'everything was asked, and what was created is removed',
    failure:
      unfinished.length === 0
        ? undefined
        : { type: 'unfinished', message: unfinished.join(' '), details: '' },
  };
  await writeJunitFile(file, `contract check of ${baseUrl}`, [
    run,
    ...verdicts.map((verdict) => toCase(verdict, differing)),
    ...notAsked,
  ]);
}
