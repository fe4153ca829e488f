import type { Fact, TopicName } from './topics.ts';

/** What an answer says about a topic. */
export interface Observation {
  readonly topic: TopicName;
  /** Where it was seen: a resource, an endpoint, or a case. */
  readonly place: string;
  readonly fact: Fact;
}

/** Something that contradicts the contract. */
export interface Violation {
  /** The topic that it is about. */
  readonly topic: TopicName;
  /** A clause of spec/SPECIFICATION.md. */
  readonly clause: string;
  readonly what: string;
  readonly requests: readonly string[];
}

/** Why nothing was learned about a topic. */
export interface Gap {
  readonly topic: TopicName;
  readonly place: string;
  readonly unknown: string;
  /** Whether the same request may show it later: there was an outage, or somebody changed something in between. */
  readonly mayPass?: true;
}

/** What a probe has learned. */
export type ProbeResult = Observation | Violation | Gap;
