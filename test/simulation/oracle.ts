import type { ClientEnd } from './client-process.ts';
import type { Intent } from './plan.ts';

/** What a server kept, read from it after everything. */
export interface Kept {
  readonly tags: readonly { readonly id: string; readonly name: string }[];
  readonly links: readonly { readonly name: string }[];
  readonly templates: readonly { readonly id: string; readonly text: string; readonly version: number }[];
  readonly audit: readonly { readonly recordId: string; readonly action: string }[];
}

/** What is wrong with an intent. */
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

/** How often an intent was applied, by the records alone. */
function effects({ kind, label, target }: Intent, kept: Kept): number {
  if (kind === 'create') return kept.tags.filter(({ name }) => name === label).length;
  if (kind === 'refused') return kept.links.filter(({ name }) => name === label).length;
  const record = kept.templates.find(({ id }) => id === target);
  if (kind === 'delete') return record === undefined ? 1 : 0;
  if (record === undefined || record.version === 1) return 0;
  return record.text === label ? record.version - 1 : Number.NaN;
}

/** How often the audit says that it was applied. */
function audited({ kind, label, target }: Intent, kept: Kept): number {
  const ids =
    kind === 'create' ? kept.tags.filter(({ name }) => name === label).map(({ id }) => id) : [target];
  const action = {
    create: 'create-tags',
    update: 'update-templates',
    delete: 'delete-configuration',
    refused: '',
  };
  return kept.audit.filter((entry) => entry.action === action[kind] && ids.includes(entry.recordId)).length;
}

/**
 * Holds what a server kept to what was intended and what the clients say of it. It knows neither operationIds nor
 * journals: an intent was applied as often as its mark stands in the records.
 */
export function judge(intents: readonly Intent[], ends: readonly ClientEnd[], kept: Kept): Problem[] {
  const reports = new Map(
    ends.flatMap((end) => end.reports.map((report) => [report.label, report] as const)),
  );
  const applied = new Set(ends.flatMap((end) => [...end.applied]));
  return intents.flatMap((intent): Problem[] => {
    const { label } = intent;
    const times = effects(intent, kept);
    const report = reports.get(label);
    const wrong = (what: Problem['what']): Problem[] => [{ label, what }];
    if (report === undefined) return wrong('not reported');
    if (!(times <= 1)) return wrong('doubled');
    // What was once known to be applied must be there, whatever was said of it later.
    if ((report.outcome === 'applied' || applied.has(label)) && times === 0) return wrong('lost');
    if (report.outcome === 'refused' && times === 1) return wrong('applied though refused');
    if (report.outcome === 'unknown') {
      if (report.verdict === undefined || report.verdict === 'cannot-tell') return wrong('not reconciled');
      if (report.verdict === 'applied' && times === 0)
        return wrong('not applied though applied by the records');
      if (report.verdict === 'not-applied' && times === 1)
        return wrong('applied though not applied by the records');
    }
    return audited(intent, kept) === times ? [] : wrong('audited otherwise than applied');
  });
}
