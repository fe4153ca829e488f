import type { Gap, Observation, ProbeResult, Violation } from './probe-result.ts';
import { type Fact, getTopic, type TopicName } from './topics.ts';

export type VerdictName = 'as decided' | 'differs' | 'mixed' | 'unknown' | 'violates';

/** What a run says about a topic. */
export interface Verdict {
  readonly topic: TopicName;
  readonly verdict: VerdictName;
  /** What was seen, and where; a fact is listed once. */
  readonly seen: readonly { readonly fact: Fact; readonly places: readonly string[] }[];
  readonly violations: readonly Violation[];
  /** Where nothing was learned. */
  readonly gaps: readonly Gap[];
  /** Why nothing was learned; undefined if something was. */
  readonly reason?: string | undefined;
}

const isSame = (a: Fact, b: Fact): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Lists each fact once, with its places; the most frequent first. */
function groupFacts(observations: readonly Observation[]): Verdict['seen'] {
  const seen: { fact: Fact; places: string[] }[] = [];
  for (const { fact, place } of observations) {
    const known = seen.find((one) => isSame(one.fact, fact));
    if (known === undefined) seen.push({ fact, places: [place] });
    else if (!known.places.includes(place)) known.places.push(place);
  }
  return seen.sort((a, b) => b.places.length - a.places.length);
}

/** Decides about a topic. `reason` says why it may not have been asked. */
export function decide(topic: TopicName, results: readonly ProbeResult[], reason: string): Verdict {
  const own = results.filter((result) => result.topic === topic);
  const observations = own.filter((result): result is Observation => 'fact' in result);
  const violations = own.filter((result): result is Violation => 'clause' in result);
  const seen = groupFacts(observations);
  const [first, ...others] = seen;
  const gaps = own.filter((result): result is Gap => 'unknown' in result);
  const found = { topic, seen, violations, gaps };
  if (violations.length > 0) return { ...found, verdict: 'violates' };
  if (first === undefined) return { ...found, verdict: 'unknown', reason: gaps[0]?.unknown ?? reason };
  if (others.length > 0) return { ...found, verdict: 'mixed' };
  return { ...found, verdict: isSame(first.fact, getTopic(topic).decided) ? 'as decided' : 'differs' };
}
