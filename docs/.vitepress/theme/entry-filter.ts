import { useRoute } from 'vitepress';
import { nextTick, onMounted, watch } from 'vue';

/** Entries that belong together, and what is above them. */
interface Group {
  readonly name: HTMLElement;
  readonly list: HTMLElement;
  readonly entries: readonly HTMLElement[];
}

/** What a page offers to filter. */
interface Filtered {
  readonly groups: readonly Group[];
  readonly noun: string;
  readonly label: string;
  readonly example: string;
  /** What the field is above. */
  readonly below: Element;
  /** What is in the way while only some entries are shown. */
  readonly others: readonly HTMLElement[];
  /** Where a reader looks who finds nothing. */
  readonly elsewhere?: { readonly text: string; readonly href: string };
}

const toGroup = (name: Element, list: Element, entries: string): Group => ({
  name: name as HTMLElement,
  list: list as HTMLElement,
  entries: Array.from(list.querySelectorAll<HTMLElement>(entries)),
});

/** The index of decisions: lists, each below the name of its group. */
function findDecisions(page: Element): Filtered | undefined {
  const below = page.querySelector('.decisions .vp-doc p.groups');
  const groups: Group[] = [];
  for (let name = below?.nextElementSibling; name?.tagName === 'P'; ) {
    const list = name.nextElementSibling;
    if (list?.tagName !== 'UL') break;
    groups.push(toGroup(name, list, ':scope > li'));
    name = list.nextElementSibling;
  }
  if (!below) return undefined;
  const example = 'For example: 409, label, quota';
  return { groups, noun: 'decisions', label: 'Filter', example, below, others: [] };
}

/** The tables of the classes and codes of errors. */
function findErrors(page: Element): Filtered | undefined {
  const below = page.querySelector('.vp-doc h1#errors ~ h2#classes');
  const groups = Array.from(page.querySelectorAll('.vp-doc h2:is(#classes, #codes)'), (name) => {
    const table = page.querySelector(`#${name.id} + .table, #${name.id} + ul + .table`);
    return table ? toGroup(name, table, 'tbody tr') : undefined;
  }).filter((group) => group !== undefined);
  if (!below || groups.length !== 2) return undefined;
  const shown = new Set(groups.flatMap(({ name, list }) => [name, list]));
  const others: HTMLElement[] = [];
  for (let next: Element | null = below; next !== null; next = next.nextElementSibling)
    if (!shown.has(next as HTMLElement)) others.push(next as HTMLElement);
  const elsewhere = { text: 'Look in the codes of the API.', href: '/reference/error-codes' };
  const example = 'Code, class or status';
  return { groups, noun: 'classes and codes', label: 'Find', example, below, others, elsewhere };
}

/** A field that leaves the entries with the words of a text. Without a text, all are there. */
function createField({ groups, noun, label: name, example, others, elsewhere }: Filtered): HTMLElement {
  const label = document.createElement('label');
  const input = document.createElement('input');
  const count = document.createElement('output');
  label.className = 'entry-filter';
  input.type = 'search';
  input.placeholder = example;
  label.append(`${name} `, input, count);
  const total = groups.flatMap(({ entries }) => entries).length;
  const show = (shown: number): void => {
    count.textContent = shown === total ? `${total} ${noun}` : `${shown} of ${total}`;
    if (shown > 0 || !elsewhere) return;
    count.append('. ', Object.assign(document.createElement('a'), elsewhere));
  };
  show(total);
  input.addEventListener('input', () => {
    const words = input.value.trim().toLowerCase().split(/\s+/);
    let shown = 0;
    for (const { name: heading, list, entries } of groups) {
      for (const entry of entries) {
        const text = entry.textContent?.toLowerCase() ?? '';
        entry.hidden = !words.every((word) => text.includes(word));
      }
      const left = entries.filter(({ hidden }) => !hidden).length;
      heading.hidden = left === 0;
      list.hidden = left === 0;
      shown += left;
    }
    for (const other of others) other.hidden = input.value.trim() !== '';
    show(shown);
  });
  return label;
}

/** Adds a field to the pages on which a reader looks for one of many entries. */
export function useEntryFilter(): void {
  const route = useRoute();
  const add = async (): Promise<void> => {
    await nextTick();
    const found = findDecisions(document.body) ?? findErrors(document.body);
    if (found && document.querySelector('.entry-filter') === null) found.below.before(createField(found));
  };
  onMounted(() => watch(() => route.path, add, { immediate: true, flush: 'post' }));
}
