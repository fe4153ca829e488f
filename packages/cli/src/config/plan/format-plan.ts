import { singularNames } from '@orgchat/spec/resources/names';
import { escapeLine } from '../../output/escape.ts';
import { createPainter, type Stream } from '../../output/terminal.ts';
import { creationOrder } from '../file/references.ts';
import type { Organization } from '../organization.ts';
import { formatUsers } from '../users.ts';
import type { FieldChange, Origin } from './compare-data.ts';
import {
  type FindName,
  formatChangeLine,
  formatChangeLines,
  formatValueLines,
  inParentheses,
} from './format-change.ts';
import { type Plan, type Step, toStepReference } from './plan-schema.ts';

const signs = { create: '+', update: '~', delete: '-' } as const;
const colors = { create: 'green', update: 'yellow', delete: 'red' } as const;

/** Explains the origin of a difference. A record that only the file adds needs no explanation. */
const originTexts: Record<Step['action'], Record<Origin, string>> = {
  create: {
    file: '',
    drift: 'deleted in the organization; the file restores it',
    both: 'deleted in the organization and changed in the file',
    unknown: '',
  },
  update: {
    file: 'changed in the file',
    drift: 'changed in the organization; the file reverts it',
    both: 'changed on both sides',
    unknown: '',
  },
  delete: {
    file: 'removed from the file',
    drift: 'created outside the file',
    both: 'removed from the file and changed in the organization',
    unknown: 'not in the file',
  },
};

/** A plan, and the names of the ids in it. */
export interface PlanWithNames {
  readonly plan: Plan;
  readonly findName: FindName;
}

/**
 * The names of records, by id: those that the plan creates or renames have the names of the file, so that a reference reads
 * as it is written there.
 */
export function collectNames({ steps }: Plan, organization?: Organization): FindName {
  const all = organization ? [organization.accounts, ...Object.values(organization.records)].flat() : [];
  const names = new Map<string, string>();
  for (const { id, label } of all) names.set(id, label);
  for (const { key, label, action, id } of steps) {
    if (action === 'create') names.set(toStepReference(key), label);
    else if (id !== undefined) names.set(id, label);
  }
  return (id) => names.get(id);
}

/** `1 to create, 0 to update, 0 to delete, 3 unchanged.` */
function summarizePlan({ steps, unchanged, unmanaged, only }: Plan): string {
  const count = (action: Step['action']): number => steps.filter((step) => step.action === action).length;
  const parts = [
    `${count('create')} to create`,
    `${count('update')} to update`,
    `${count('delete')} to delete`,
  ];
  const left =
    unmanaged.length === 0
      ? ''
      : unmanaged.length === 1
        ? '; 1 in the organization is not in the file and stays (list it with --show-unmanaged)'
        : `; ${unmanaged.length} in the organization are not in the file and stay (list them with --show-unmanaged)`;
  const limit = only === undefined ? '' : ` Only ${escapeLine(only.join(', '))}.`;
  return `${parts.join(', ')}, ${unchanged.length} unchanged${left}.${limit}`;
}

/** Why a field changes, with the value before if both sides changed it. */
function describeOrigin({ base, origin }: FieldChange): string {
  const was = origin === 'both' && base !== undefined ? `, was ${escapeLine(JSON.stringify(base))}` : '';
  return `${originTexts.update[origin]}${was}`;
}

/** A changed field on one line, with the side that changed it. */
const formatFieldChange = (change: FieldChange, findName: FindName): string =>
  formatChangeLine(change, describeOrigin(change), findName);

/** A change of a record in a list, with the side that made it: a line for each field of an update with these origins. */
export function formatChangeSummary(
  {
    action,
    resource,
    label,
    origin,
    fields,
  }: Pick<Step, 'action' | 'resource' | 'label' | 'origin' | 'fields'>,
  origins: readonly Origin[],
  findName: FindName,
): string[] {
  const shown = action === 'update' ? fields.filter((field) => origins.includes(field.origin)) : [];
  const what =
    shown.length === 0
      ? [originTexts[action][origin] || 'only in the file']
      : shown.map((field) => formatFieldChange(field, findName));
  return what.map((text) => `${singularNames[resource]} "${label}": ${text}`);
}

type Painter = ReturnType<typeof createPainter>;

const lineColors = { '+': 'green', '-': 'red' } as const;

/** The lines below a step: everything that a create sends, and what an update changes. */
function fieldLines({ action, fields }: Step, findName: FindName, paint: Painter): string[] {
  // A deletion sends no fields, and the line of the step names the record. The JSON output lists what is lost.
  if (action === 'delete') return [];
  if (action === 'create') return fields.flatMap(({ path, to }) => formatValueLines(path, to, findName));
  return fields.flatMap((change) =>
    formatChangeLines(change, describeOrigin(change), findName, (sign, line) =>
      sign === ' ' ? `    ${line}` : paint(lineColors[sign], `  ${sign} ${line}`),
    ),
  );
}

export interface PlanTextOptions {
  /** Whether to list the records that are not in the file. */
  readonly showUnmanaged?: boolean | undefined;
}

/** A plan for people: a sign for each record, below it what is sent or changes, and on which side. */
export function formatPlan(
  plan: Plan,
  findName: FindName,
  /** Where it is printed, which may have colors; undefined: without any. */
  stream: Stream | undefined,
  { showUnmanaged = false }: PlanTextOptions = {},
): string {
  const paint: Painter = stream === undefined ? (_style, text) => text : createPainter(stream);
  const lines: string[] = [];
  const sign = (action: Step['action']): string => paint(colors[action], signs[action]);
  for (const resource of creationOrder) {
    const steps = plan.steps.filter((step) => step.resource === resource);
    const unmanaged = showUnmanaged ? plan.unmanaged.filter((one) => one.resource === resource) : [];
    if (steps.length + unmanaged.length === 0) continue;
    lines.push(resource);
    for (const step of steps) {
      const { action, label, origin } = step;
      const ofFields = action === 'update' ? '' : originTexts[action][origin];
      const why = step.followsUp === undefined ? ofFields : 'completed after the records it refers to';
      lines.push(`  ${sign(action)} ${escapeLine(label)}${inParentheses(why)}`);
      if (step.usedBy !== undefined)
        lines.push(`      still used by ${escapeLine(formatUsers(step.usedBy))}`);
      for (const line of fieldLines(step, findName, paint)) lines.push(`      ${line}`);
    }
    if (resource === 'tags' && steps.some(({ action }) => action === 'delete'))
      lines.push('    Friends with a deleted tag are not looked at.');
    for (const { label, origin } of unmanaged) {
      const fate =
        resource === 'rich-menus' ? 'the API cannot delete rich menus' : 'stays; --prune deletes it';
      lines.push(`    ${escapeLine(label)}${inParentheses(`${originTexts.delete[origin]}; ${fate}`)}`);
    }
  }
  return `${[...lines, ...(lines.length > 0 ? [''] : []), summarizePlan(plan)].join('\n')}\n`;
}
