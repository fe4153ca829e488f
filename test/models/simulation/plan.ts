import type { FaultInput, SeedDocument } from '@orgchat/mock-server';
import { createRandom } from '../../test-support/random.ts';

/** When a client dies: after its entry is in the journal, while the request is in progress, before or after it settles. */
export type ClientPhase = 'recorded' | 'sent' | 'answered' | 'settled';
/** When a server dies: before it handles a request, after it applied, wrote, or answered it. */
export type ServerPhase = 'arrival' | 'applied' | 'written' | 'answered';

/** A hazard: what goes wrong while an intent runs. */
export type Hazard =
  | { readonly fault: FaultInput }
  | { readonly kill: 'client' | 'both'; readonly at: ClientPhase }
  | { readonly kill: 'server'; readonly at: ServerPhase };

/** One change that a client makes, once. */
export interface Intent {
  /** Identifies the intent in the records. No other intent writes this text. */
  readonly label: string;
  readonly kind: 'create' | 'update' | 'delete' | 'refused' | 'keyword';
  /** The client of the intent; undefined if every client has it. */
  readonly client: number | undefined;
  /** Whether the operationId is derived from the label, or random for each call. */
  readonly named: boolean;
  /** Whether an unknown outcome is resumed at once, or at the end. */
  readonly resumes: boolean;
  /** The template that an update or a deletion changes. */
  readonly target: string;
  readonly hazard?: Hazard;
}

const clientPhases: readonly ClientPhase[] = ['recorded', 'sent', 'answered', 'settled'];
const serverPhases: readonly ServerPhase[] = ['arrival', 'applied', 'written', 'answered'];

export interface PlanOptions {
  readonly seed: number;
  readonly intents: number;
  readonly clients: number;
  /** The percentage of intents with a fault, and with a killed process. */
  readonly faults?: number;
  readonly kills?: number;
  /** Whether every client has every intent: they have one key, and one journal. */
  readonly shared?: boolean;
}

const kinds = ['create', 'create', 'create', 'update', 'update', 'delete', 'refused', 'keyword'] as const;

export function createPlan(options: PlanOptions): Intent[] {
  const { seed, intents, clients, faults = 45, kills = 10, shared = false } = options;
  const chance = createRandom(seed);
  const of = <T>(values: readonly T[]): T => values[Math.floor(chance() * values.length)] as T;
  const pickHazard = (kind: Intent['kind']): Hazard | undefined => {
    const drawn = chance() * 100;
    if (drawn < faults) return { fault: kind === 'keyword' ? createKeywordFault(of) : createFault(of) };
    if (drawn >= faults + kills) return undefined;
    const kill = of(['client', 'client', 'server', 'server', 'both'] as const);
    return kill === 'server' ? { kill, at: of(serverPhases) } : { kill, at: of(clientPhases) };
  };
  return Array.from({ length: intents }, (_, n) => {
    const kind = shared ? 'create' : of(kinds);
    const hazard = pickHazard(kind);
    return {
      label: `intent ${seed}/${n}`,
      kind,
      client: shared ? undefined : n % clients,
      // Several clients share an intent only if its operationId is derived.
      named: shared || chance() < 0.4,
      resumes: chance() < 0.4,
      target: toUuid(n),
      ...(hazard && { hazard }),
    };
  });
}

/** Creations by one client: six for each hazard, two of them with it, so that the effect of a mistake is certain. */
export function createDangerous(hazards: readonly Hazard[]): Intent[] {
  return Array.from({ length: 6 * hazards.length }, (_, n) => ({
    label: `intent ${n}`,
    kind: 'create',
    client: 0,
    named: false,
    resumes: false,
    target: toUuid(n),
    ...(n % 3 === 2 && { hazard: hazards[Math.floor(n / 6)] as Hazard }),
  }));
}

type Of = <T>(values: readonly T[]) => T;

/** A fault that hits the change of an intent, and possibly some or all of its retries. */
function createFault(of: Of): FaultInput {
  const aim = { operation: 'changeChat' as const, times: of([1, 1, 2, 4, 6]) };
  const resolve = of(['never' as const, { afterRequests: 0 }, { afterRequests: 1 }, { afterRequests: 5 }]);
  const applied = of([true, false]);
  return of<() => FaultInput>([
    () => ({ ...aim, effect: 'drop-request' }),
    () => ({ ...aim, effect: 'lose-response' }),
    () => ({ ...aim, effect: 'cut-response' }),
    () => ({ ...aim, effect: 'delay', delayMs: of([1, 20]) }),
    () => ({ ...aim, times: 1, effect: 'delay', delayMs: stallMs }),
    () => ({ ...aim, effect: 'respond', status: 429, retryAfter: '0' }),
    () => ({ ...aim, effect: 'respond', status: 500 }),
    () => ({ ...aim, effect: 'respond', status: 502 }),
    () => ({ ...aim, effect: 'uncertain', applied, resolve }),
    () => ({ ...aim, effect: 'uncertain', applied, resolve, answer: of([500, 502] as const) }),
  ])();
}

/** A running keyword write cannot be distinguished from a finished one, so none outlives its attempt. */
function createKeywordFault(of: Of): FaultInput {
  const aim = { operation: 'addSeoKeywords' as const, times: of([1, 1, 2, 4, 6]) };
  return of<() => FaultInput>([
    () => ({ ...aim, effect: 'drop-request' }),
    () => ({ ...aim, effect: 'lose-response' }),
    () => ({ ...aim, effect: 'cut-response' }),
    () => ({ ...aim, effect: 'respond', status: 429, retryAfter: '0' }),
    () => ({ ...aim, effect: 'respond', status: 500 }),
  ])();
}

/** Longer than a client waits for one attempt. */
const stallMs = 450;
export const attemptTimeoutMs = 300;

export const toUuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
export const siteId = 'site';
export const getClientKey = (client: number): string => `client-${client}-key`;

/** The data before the first intent: the keys of the clients, and a template for each update and deletion. */
export function createSeed(plan: readonly Intent[], clients: number): SeedDocument {
  return {
    organizations: [
      {
        id: 'org_simulated',
        keys: Array.from({ length: clients }, (_, client) => ({
          key: getClientKey(client),
          name: `Client ${client}`,
          scope: 'write' as const,
        })),
        sites: [{ id: siteId, keywordLimit: 1_000_000 }],
        templates: plan
          .filter(({ kind }) => kind === 'update' || kind === 'delete')
          .map(({ target }) => ({ id: target, name: 'Target', text: 'As it was.' })),
      },
    ],
  };
}
