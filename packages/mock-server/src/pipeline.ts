import { declares } from '@orgchat/spec';
import type { Applied } from './exchange.ts';
import { type Aim, aimOf } from './faults/aim.ts';
import type { Trace } from './journal/journal.ts';
import { copyOf, short } from './journal/short.ts';
import { languageOf } from './language.ts';
import type { Outcome, PlainRequest, PlainResponse } from './message.ts';
import { Refusal } from './refusal.ts';
import { admit } from './steps/admit.ts';
import { begin, type Work } from './steps/apply.ts';
import { authenticate, bearerKey } from './steps/authenticate.ts';
import { authorize } from './steps/authorize.ts';
import { Body } from './steps/body.ts';
import { limit } from './steps/limit.ts';
import { match, type Route } from './steps/match.ts';
import { failure, refuse, respond, respondFault } from './steps/respond.ts';
import { validate } from './steps/validate.ts';
import type { World } from './world.ts';

/** A request on its way through a world. */
interface Passage {
  readonly world: World;
  readonly request: PlainRequest;
  readonly body: Body;
  readonly trace: Trace;
  /** The key as it was sent. */
  readonly secret: string | undefined;
  readonly now: number;
}

/**
 * A request of the API from its arrival to its answer: match, authenticate, limit, authorize, validate, apply,
 * respond. Everything between a check and its write happens in one turn; nothing in here waits. `path` is what
 * stands below the base URL; where the request is not below it, no path is known (clause 1.4).
 */
export function handle(world: World, request: PlainRequest, path: string, isBelow = true): Outcome {
  const now = world.clock.now();
  // A path is a piece of its target, which the journal must not keep for its sake.
  const kept = request.query === '' ? path : copyOf(path);
  const trace = world.journal.receive(world.rules.nextRequestId(), now, request.method, kept);
  const secret = bearerKey(request.header('authorization'));
  const passage = { world, request, body: new Body(request), trace, secret, now };
  return settle(passage, () => {
    const route = match(request.method, isBelow ? path : '');
    trace.operation = route.operation;
    trace.key = short(secret);
    if (!world.faults.idle) return endanger(passage, route);
    return conclude(passage, run(passage, route, false, undefined)(now));
  });
}

/** Every check of the caller and of the body, in the order of D3, and then the work; the first that fails decides. */
function run(
  { world, body, trace, secret, now }: Passage,
  route: Route,
  hold: boolean,
  aim: Aim | undefined,
): Work {
  const caller = authenticate(world, secret);
  // The key's own text: a piece of the header would keep the whole of it as long as the journal does.
  trace.key = caller.key.key;
  trace.keyName = caller.key.name;
  admit(world, caller);
  limit(world, caller, now);
  authorize(caller, route);
  const command = validate(route, body);
  trace.note(command);
  return begin({ world, caller, trace }, command, now, hold, aim);
}

/** The same way, through whatever faults are armed for this request. */
function endanger(passage: Passage, route: Route): Outcome {
  const { world, request, body, trace, secret, now } = passage;
  const aim = aimOf(route.operation, secret, body.peek());
  trace.glance(aim);
  const { end, delayMs } = world.faults.strikeArrival(aim, trace);
  if (end?.effect === 'drop-request') return { kind: 'reset' };
  if (end !== undefined) {
    const response = respondFault(trace, end, languageOf(header(request)), world.rules.codeOf);
    return { ...answer(trace, response), undeclared: !declares(route.operation, end.status) };
  }
  if (delayMs === undefined) {
    return conclude(passage, run(passage, route, false, aim)(now), aim);
  }
  const work = afterwards(() => run(passage, route, true, aim));
  const resume = (): Outcome => settle(passage, () => conclude(passage, work(world.clock.now()), aim));
  return { kind: 'later', delayMs, resume };
}

/** Does now what can be done now; a refusal comes when the work would have. */
function afterwards(prepare: () => Work): Work {
  try {
    return prepare();
  } catch (refusal) {
    return () => {
      throw refusal;
    };
  }
}

/** Answers what was applied, unless a fault takes the answer away. */
function conclude({ world, trace }: Passage, applied: Applied, aim?: Aim): Outcome {
  if ('lost' in applied) {
    if (applied.lost === 'reset') return { kind: 'reset' };
    throw failure(applied.lost);
  }
  const response = respond(trace, applied.status, applied.body);
  const fault = aim && world.faults.strikeAnswer(aim, trace);
  if (fault === undefined) return answer(trace, response);
  return fault.effect === 'cut-response' ? { kind: 'cut', response } : { kind: 'reset' };
}

const header = (request: PlainRequest): string | undefined => request.header('accept-language');

function answer(trace: Trace, response: PlainResponse): Extract<Outcome, { kind: 'answer' }> {
  trace.answered = true;
  return { kind: 'answer', response };
}

/** Turns a refusal into its answer, and an error in the mock itself into a 500. */
function settle({ world, request, body, trace, secret }: Passage, work: () => Outcome): Outcome {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) world.rules.onError(thrown);
    const refusal = thrown instanceof Refusal ? thrown : failure(500);
    // A request refused before its body was looked at is still shown for what it was.
    if (trace.operation !== undefined) trace.glance(aimOf(trace.operation, secret, body.peek()));
    return answer(trace, refuse(trace, refusal, languageOf(header(request)), world.rules.codeOf));
  }
}
