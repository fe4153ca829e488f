import { useRoute } from 'vitepress';
import { nextTick, onMounted, watch } from 'vue';

/** The lists of the index of decisions, from the name of the first group on, each with the name of its group before it. */
function listGroups(first: Element): HTMLElement[][] {
  const groups: HTMLElement[][] = [];
  for (let next: Element | null = first; next !== null && next.tagName !== 'H2'; ) {
    const list = next.nextElementSibling;
    if (next.tagName === 'P' && list?.tagName === 'UL')
      groups.push([next as HTMLElement, list as HTMLElement]);
    next = list;
  }
  return groups;
}

/** Adds a field to the index of decisions that leaves the entries with a text. Without it, all are there. */
export function useDecisionFilter(): void {
  const route = useRoute();
  const add = async (): Promise<void> => {
    await nextTick();
    const first = document.querySelector('.decisions .vp-doc p:has(+ ul > li > br)');
    if (first === null || document.querySelector('.decision-filter') !== null) return;
    const groups = listGroups(first);
    const label = document.createElement('label');
    const input = document.createElement('input');
    const count = document.createElement('output');
    label.className = 'decision-filter';
    input.type = 'search';
    input.placeholder = 'For example: 409, label, quota';
    label.append('Filter ', input, count);
    const total = groups.flatMap(([, list]) => Array.from(list?.children ?? [])).length;
    const show = (shown: number): void => {
      count.textContent = shown === total ? `${total} decisions` : `${shown} of ${total}`;
    };
    show(total);
    input.addEventListener('input', () => {
      const words = input.value.trim().toLowerCase().split(/\s+/);
      let shown = 0;
      for (const [name, list] of groups) {
        const entries = Array.from(list?.children ?? []) as HTMLElement[];
        for (const entry of entries) {
          const text = entry.textContent?.toLowerCase() ?? '';
          entry.hidden = !words.every((word) => text.includes(word));
        }
        const left = entries.filter(({ hidden }) => !hidden).length;
        for (const element of [name, list]) if (element) element.hidden = left === 0;
        shown += left;
      }
      show(shown);
    });
    first.before(label);
  };
  onMounted(() => watch(() => route.path, add, { immediate: true, flush: 'post' }));
}
