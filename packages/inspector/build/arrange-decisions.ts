import { findPlaces } from '../../../spec/src/numbered-places.ts';

/* A decision as the page shows it: the rule first, then its details, why it is so, and the clauses that leave it open. */

/** `- **What we do:** The text`, with the lines below it. */
const item = /^- \*\*([^*]+):\*\* ?([^\n]*)((?:\n(?!- \*\*|#).*)*)/gm;

/** Labels of the text that contain the rule. */
const ruleLabels: ReadonlySet<string> = new Set(['What we do', 'Decision']);
/** Labels of the text that say why, in their order. */
const reasonLabels: ReadonlySet<string> = new Set(['Problem', 'Consequence', 'Why']);
const clauseLabel = 'The contract does not define this in';
/** Such a clause may say something about the matter, and the reasons may build on that. */
const shownClauseLabel = 'Clauses that leave this open, in whole or in part';

/** Brings every decision of a Markdown text into the same order, with the same labels. */
export function arrangeDecisions(decisions: string, specification: string): string {
  const titles = findClauseTitles(specification);
  return decisions
    .split(/^(?=#{1,3} )/m)
    .map((block) => (/^### D\d+ /.test(block) ? arrange(block, titles) : block))
    .join('');
}

function arrange(block: string, titles: ReadonlyMap<string, string>): string {
  const [head = ''] = block.split('\n', 1);
  const items = Array.from(block.matchAll(item), ([, label = '', text = '', below = '']) => ({
    label,
    text,
    below,
  }));
  const rules = items.filter(({ label }) => ruleLabels.has(label));
  const reasons = items.filter(({ label }) => reasonLabels.has(label));
  const clauses = items.filter(({ label }) => label === clauseLabel);
  // A decision of another form stays as it is.
  if (rules.length !== 1 || reasons.length === 0) return block;
  const others = items.filter((one) => ![rules, reasons, clauses].some((group) => group.includes(one)));
  return [
    head,
    ...rules.map(emphasizeRule),
    ...others.map(({ label, text, below }) => `**${label}:** ${text}${toParagraph(below)}`),
    ...reasons.map(
      ({ text, below }, index) => `${index === 0 ? '**Why:** ' : ''}${text}${toParagraph(below)}`,
    ),
    ...clauses.map(({ text }) => `**${shownClauseLabel}:**\n\n${listClauses(text, titles)}`),
    '',
  ].join('\n\n');
}

/** Lists below an item are lists of their own; code and tables keep their lines. */
const toParagraph = (below: string): string => {
  const lines = below.split('\n').map((line) => line.replace(/^ {2}/, ''));
  return below.trim() === '' ? '' : `\n${lines.join('\n')}`;
};

/** The first sentence is the rule, and is bold. If the text is only a list, it is the first of the list. */
function emphasizeRule({ text, below }: { readonly text: string; readonly below: string }): string {
  const rest = toParagraph(below);
  if (text !== '') return `${emphasize(text)}${rest === '' ? '' : `\n${rest}`}`;
  const [, first = '', others = ''] = /^\s*- ([^\n]*)(.*)$/s.exec(rest) ?? [];
  // What follows the first point may belong to it.
  const isPlain = others.trim() === '' || others.startsWith('\n- ');
  return isPlain && first !== '' ? `${emphasize(first)}\n${others}` : rest;
}

function emphasize(text: string): string {
  const [sentence = text, rest = ''] = text.split(/(?<=[.:]) (?=[A-Z`])(.*)/s);
  return sentence.includes('*') ? text : `**${sentence}**${rest === '' ? '' : ` ${rest}`}`;
}

/** The title of the section that each clause is in. */
function findClauseTitles(specification: string): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  const lines = specification.split('\n');
  for (const { kind, number, line } of findPlaces(specification)) {
    if (kind !== 'clause') continue;
    const heading = lines.findLast((text, index) => index < line && /^#+ /.test(text)) ?? '';
    const title = heading.replace(/^#+ (?:\d+(?:\.\d+)* )?/, '').replace(/: `[^`]*`$/, '');
    if (title !== '') titles.set(number, title);
  }
  return titles;
}

/** `1.10, 4.4.40.` as a list with the titles of their sections. */
const listClauses = (text: string, titles: ReadonlyMap<string, string>): string =>
  text
    .replace(/\.$/, '')
    .split(', ')
    .map((number) => `- ${number}${titles.has(number) ? ` ${titles.get(number)}` : ''}`)
    .join('\n');
