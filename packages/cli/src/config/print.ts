import { plainLine } from '../output/plain.ts';
import { creationOrder } from './order.ts';
import type { Plan } from './plan.ts';
import { pendingKey } from './resolve.ts';
import type { Step } from './step.ts';

const signs = { create: '+', update: '~', delete: '-' } as const;
const colors = { create: 32, update: 33, delete: 31 } as const;

const origins = {
  file: 'changed in the file',
  drift: 'changed in the organization since; the file puts it back',
  both: 'changed in both',
  unknown: '',
} as const;

/** Ids are shown by what they name. */
export type NameOf = (id: string) => string | undefined;

function shown(value: unknown, nameOf: NameOf): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value !== 'string') return plainLine(JSON.stringify(value));
  const key = pendingKey(value);
  const text = plainLine(nameOf(key ?? value) ?? value);
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
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
  return `${parts.join(', ')}, ${unchanged} unchanged${left}.`;
}

/** A plan for people: a sign a record, below it what changes and who changed it. */
export function planText(plan: Plan, nameOf: NameOf): string {
  const paint = process.stdout.isTTY && !process.env.NO_COLOR;
  const lines: string[] = [];
  const sign = (action: Step['action']): string =>
    paint ? `\u001b[${colors[action]}m${signs[action]}\u001b[39m` : signs[action];
  for (const resource of creationOrder) {
    const steps = plan.steps.filter((step) => step.resource === resource);
    const others = plan.others.filter((one) => one.resource === resource);
    if (steps.length + others.length === 0) continue;
    lines.push(resource);
    for (const { action, label, fields, key } of steps) {
      const again = key.endsWith('-again') ? ' (its switches to menus made after it)' : '';
      lines.push(`  ${sign(action)} ${plainLine(label)}${again}`);
      for (const { path, from, to, origin } of fields) {
        const who = origins[origin] === '' ? '' : `   (${origins[origin]})`;
        lines.push(`      ${path}: ${shown(from, nameOf)} → ${shown(to, nameOf)}${who}`);
      }
    }
    for (const { label, origin } of others) {
      const why =
        origin === 'file'
          ? 'taken out of the file'
          : origin === 'drift'
            ? 'made by somebody else'
            : 'not in the file';
      const fate =
        resource === 'rich-menus' ? 'the API cannot delete rich menus' : 'stays; --prune deletes it';
      lines.push(`    ${plainLine(label)}   (${why}; ${fate})`);
    }
  }
  return `${[...lines, ...(lines.length > 0 ? [''] : []), summary(plan)].join('\n')}\n`;
}
