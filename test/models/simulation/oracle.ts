import type { ClientEnd } from './client-process.ts';
import type { Report } from './messages.ts';
import type { Intent } from './plan.ts';

/** The data of a server, read after the run. */
export interface ServerData {
  readonly tags: readonly { readonly id: string; readonly name: string }[];
  readonly links: readonly { readonly name: string }[];
  readonly templates: readonly { readonly id: string; readonly text: string; readonly version: number }[];
  readonly keywords: readonly string[];
  readonly audit: readonly { readonly recordId: string; readonly action: string }[];
}

/** A problem of an intent. */
export interface Problem {
  readonly label: string;
  readonly what:
    | 'lost'
    | 'doubled'
    | 'applied though refused'
    | 'applied though not applied by the records'
    | 'not applied though applied by the records'
    | 'not reported'
    | 'not reconciled'
    | 'audited otherwise than applied';
}

/** How often an intent was applied, counted by the records alone. */
function effects({ kind, label, target }: Intent, kept: ServerData): number {
  if (kind === 'create') return kept.tags.filter(({ name }) => name === label).length;
  if (kind === 'refused') return kept.links.filter(({ name }) => name === label).length;
  if (kind === 'keyword') return kept.keywords.filter((keyword) => keyword === label).length;
  const record = kept.templates.find(({ id }) => id === target);
  if (kind === 'delete') return record === undefined ? 1 : 0;
  if (record === undefined || record.version === 1) return 0;
  return record.text === label ? record.version - 1 : Number.NaN;
}

/** How often an intent was applied according to the audit. Keywords have no audit. */
function audited({ kind, label, target }: Intent, kept: ServerData): number {
  if (kind === 'keyword') return kept.keywords.includes(label) ? 1 : 0;
  const ids =
    kind === 'create' ? kept.tags.filter(({ name }) => name === label).map(({ id }) => id) : [target];
  const actions = {
    create: 'create-tags',
    update: 'update-templates',
    delete: 'delete-configuration',
  } as const;
  if (kind === 'refused') return 0;
  const action = actions[kind];
  return kept.audit.filter((entry) => entry.action === action && ids.includes(entry.recordId)).length;
}

/**
 * Compares the server's records with the intents and with the reports of the clients. It uses neither operation IDs nor
 * journals: it counts the records that have the label of an intent.
 */
export function judge(intents: readonly Intent[], ends: readonly ClientEnd[], kept: ServerData): Problem[] {
  const reports = ends.flatMap((end) => end.reports);
  const applied = new Set(ends.flatMap((end) => [...end.applied]));
  return intents.flatMap((intent): Problem[] => {
    const { label } = intent;
    const times = effects(intent, kept);
    const said = reports.filter((report) => report.label === label);
    const wrongs = said.map((report) => findProblem(report, times)).filter((what) => what !== undefined);
    if (said.length === 0) wrongs.push('not reported');
    // A keyword cannot exist twice. If it is sent a second time, it is skipped, and the client reports that.
    if (!(times <= 1)) wrongs.unshift('doubled');
    // An intent that was once known to be applied must exist, whatever was reported later.
    if (applied.has(label) && times === 0) wrongs.unshift('lost');
    if (wrongs.length === 0 && audited(intent, kept) !== times) wrongs.push('audited otherwise than applied');
    return wrongs.slice(0, 1).map((what) => ({ label, what }));
  });
}

/** The problem of a client's report of an intent that was applied `times` times. */
function findProblem({ outcome, verdict }: Report, times: number): Problem['what'] | undefined {
  if (outcome === 'doubled') return 'doubled';
  if (outcome === 'applied') return times === 0 ? 'lost' : undefined;
  if (outcome === 'refused') return times > 0 ? 'applied though refused' : undefined;
  if (verdict === undefined || verdict === 'inconclusive') return 'not reconciled';
  if (verdict === 'applied') return times === 0 ? 'not applied though applied by the records' : undefined;
  return times > 0 ? 'applied though not applied by the records' : undefined;
}
