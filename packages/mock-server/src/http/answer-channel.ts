import { channel } from '../primitives/platform.ts';
import type { AdapterAction, PlainRequest, PlainResponse } from './message.ts';

/** The message on the channel `orgchat.mock.answer` for each answer, through any adapter. */
export interface AnswerMessage {
  /** Null for a malformed HTTP request. */
  readonly method: string | null;
  /** Percent-encoded, without the query, below the root of the mock or sandbox that answered; null like `method`. */
  readonly path: string | null;
  /** The sandbox that answered; null for the root mock. */
  readonly sandboxId: string | null;
  readonly status: number;
  /** Without the headers that an adapter adds for its transport, such as `Content-Length`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The whole text, even if a fault then cuts it off. Empty for a stream of events. */
  readonly body: string;
  /** How a fault made the answer differ from the contract; null if the answer should match it. */
  readonly fault: 'undeclared' | 'cut' | null;
}

/** The channel of answers. Check `hasSubscribers` first, so that answers cost nothing without a subscriber. */
export const answerChannel = channel('orgchat.mock.answer');

/** Publishes an action once it is an answer. */
export function publishAnswer(
  action: AdapterAction,
  { method }: Pick<PlainRequest, 'method'>,
  path: string,
  sandboxId: string | undefined,
): AdapterAction {
  if (!answerChannel.hasSubscribers || action.kind === 'reset') return action;
  if (action.kind === 'later') {
    const resume = async (): Promise<AdapterAction> =>
      publishAnswer(await action.resume(), { method }, path, sandboxId);
    return { ...action, resume };
  }
  const response = action.kind === 'stream' ? { ...action.response, body: '' } : action.response;
  publish(response, {
    method,
    path,
    sandboxId: sandboxId ?? null,
    fault: getFault(action),
  });
  return action;
}

const getFault = (action: AdapterAction): AnswerMessage['fault'] => {
  if (action.kind === 'cut') return 'cut';
  return action.kind === 'answer' && action.undeclared ? 'undeclared' : null;
};

/** Publishes the answer to a malformed HTTP request. */
export function publishMalformed(response: PlainResponse): void {
  if (answerChannel.hasSubscribers)
    publish(response, { method: null, path: null, sandboxId: null, fault: null });
}

type About = Pick<AnswerMessage, 'method' | 'path' | 'sandboxId' | 'fault'>;

const publish = ({ status, headers, body }: PlainResponse, about: About): void =>
  answerChannel.publish({ ...about, status, headers, body } satisfies AnswerMessage);
