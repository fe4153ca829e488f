import { channel } from 'node:diagnostics_channel';
import type { Outcome, PlainRequest, PlainResponse } from './message.ts';

/** What subscribers of the channel `orgchat.mock.answer` get of each answer that is given, by whichever door. */
export interface AnswerMessage {
  /** Null where what came was no HTTP request. */
  readonly method: string | null;
  /** Percent-encoded, without the query, below the root of the mock or sandbox that answered; null like `method`. */
  readonly path: string | null;
  /** The sandbox that answered; null where it was the mock itself. */
  readonly sandboxId: string | null;
  readonly status: number;
  /** As the core gives them: a door adds what its transport wants, like `Content-Length`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The whole text, also where a fault then breaks it off. */
  readonly body: string;
  /** What a fault made of it that the contract does not have; null where it is to be what the contract says. */
  readonly fault: 'undeclared' | 'cut' | null;
}

const answers = channel('orgchat.mock.answer');

/** Tells subscribers of an outcome, once it is an answer; without any, it costs nothing. */
export function tell(
  outcome: Outcome,
  { method }: Pick<PlainRequest, 'method'>,
  path: string,
  sandboxId: string | undefined,
): Outcome {
  if (!answers.hasSubscribers || outcome.kind === 'reset') return outcome;
  if (outcome.kind === 'later') {
    const resume = async (): Promise<Outcome> => tell(await outcome.resume(), { method }, path, sandboxId);
    return { ...outcome, resume };
  }
  publish(outcome.response, {
    method,
    path,
    sandboxId: sandboxId ?? null,
    fault: outcome.kind === 'cut' ? 'cut' : outcome.undeclared ? 'undeclared' : null,
  });
  return outcome;
}

/** Tells subscribers of the answer to what was no HTTP request. */
export function tellMalformed(response: PlainResponse): void {
  if (answers.hasSubscribers) publish(response, { method: null, path: null, sandboxId: null, fault: null });
}

type About = Pick<AnswerMessage, 'method' | 'path' | 'sandboxId' | 'fault'>;

const publish = ({ status, headers, body }: PlainResponse, about: About): void =>
  answers.publish({ ...about, status, headers, body } satisfies AnswerMessage);
