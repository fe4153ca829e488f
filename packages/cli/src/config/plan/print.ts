import { plainLine } from '../../output/plain.ts';
import { type Place, painter } from '../../output/terminal.ts';
import { creationOrder } from '../order.ts';
import type { Organization } from '../organization.ts';
import type { FieldChange, Origin } from './compare.ts';
import { isSecondStep } from './cycles.ts';
import type { Plan, Step } from './document.ts';
import { pendingKey } from './pending.ts';

const signs = { create: '+', update: '~', delete: '-' } as const;
const colors = { create: 'green', update: 'yellow', delete: 'red' } as const;

/** What a difference comes from; what the file did by itself needs no words. */
export const reasons: Record<Step['action'], Record<Origin, string>> = {
  create: {
    file: '',
    drift: 'deleted in the organization since; the file puts it back',
    both: 'deleted in the organization since, and changed in the file',
    unknown: '',
  },
  update: {
    file: 'changed in the file',
    drift: 'changed in the organization since; the file puts it back',
    both: 'changed on both sides',
    unknown: '',
  },
  delete: {
    file: 'taken out of the file',
    drift: 'made by somebody else',
    both: 'taken out of the file, and changed in the organization since',
    unknown: 'not in the file',
  },
};

/** Ids are shown by what they name. */
export type NameOf = (id: string) => string | undefined;

/** The names of what a plan makes, and of what is there. */
export function namesIn({ steps }: Plan, organization?: Organization): NameOf {
  const all = organization ? [organization.accounts, ...Object.values(organization.records)].flat() : [];
  const names = new Map<string, string>();
  for (const { id, label } of all) names.set(id, label);
  for (const { key, label, action } of steps) if (action === 'create') names.set(key, label);
  return (id) => names.get(id);
}

const longest = 80;

function shown(value: unknown, nameOf: NameOf): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value !== 'string') return plainLine(JSON.stringify(value));
  const named = (id: string): string => nameOf(pendingKey(id) ?? id) ?? id;
  const text = named(value).replace(/^\{link:(.+)\}$/, (_, id: string) => `{link:${named(id)}}`);
  return plainLine(JSON.stringify(text.length > longest ? `${text.slice(0, longest - 1)}…` : text));
}

/** Adds up a plan in one line. */
export function summary({ steps, unchanged, others }: Plan): string {
  const count = (action: Step['action']): number => steps.filter((step) => step.action === action).length;
  const parts = [
    `${count('create')} to create`,
    `${count('update')} to update`,
    `${count('delete')} to delete`,
  ];
  const left =
    others.length === 0 ? '' : `; ${others.length} in the organization are not in the file and stay`;
  return `${parts.join(', ')}, ${unchanged.length} unchanged${left}.`;
}

const behind = (text: string): string => (text === '' ? '' : `   (${text})`);

/** `color: "pink" → "green"   (changed in the file)` */
export function fieldText({ path, from, to, base, origin }: FieldChange, nameOf: NameOf): string {
  const was = origin === 'both' && base !== undefined ? `, was ${shown(base, nameOf)}` : '';
  return `${path}: ${shown(from, nameOf)} → ${shown(to, nameOf)}${behind(`${reasons.update[origin]}${was}`)}`;
}

/** A plan for people: a sign a record, below it what changes and who changed it. */
export function planText(plan: Plan, nameOf: NameOf, place: Place): string {
  const paint = painter(place);
  const lines: string[] = [];
  const sign = (action: Step['action']): string => paint(colors[action], signs[action]);
  for (const resource of creationOrder) {
    const steps = plan.steps.filter((step) => step.resource === resource);
    const others = plan.others.filter((one) => one.resource === resource);
    if (steps.length + others.length === 0) continue;
    lines.push(resource);
    for (const step of steps) {
      const { action, label, fields, origin } = step;
      const ofFields = action === 'update' ? '' : reasons[action][origin];
      const why = isSecondStep(step) ? 'with what is made after it' : ofFields;
      lines.push(`  ${sign(action)} ${plainLine(label)}${behind(why)}`);
      if (action !== 'update') continue;
      for (const field of fields) lines.push(`      ${fieldText(field, nameOf)}`);
    }
    for (const { label, origin } of others) {
      const fate =
        resource === 'rich-menus' ? 'the API cannot delete rich menus' : 'stays; --prune deletes it';
      lines.push(`    ${plainLine(label)}   (${reasons.delete[origin]}; ${fate})`);
    }
  }
  return `${[...lines, ...(lines.length > 0 ? [''] : []), summary(plan)].join('\n')}\n`;
}
