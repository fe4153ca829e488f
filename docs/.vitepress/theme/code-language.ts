import { useRoute } from 'vitepress';
import { nextTick, onMounted, watch } from 'vue';

/** Where the language that a reader chose is kept. */
const key = 'orgchat-code-language';

/** Keeps the choice of a tab of code: the other groups that have it show it, too, also on other pages. */
export function useCodeLanguage(): void {
  const route = useRoute();
  const find = (title: string): HTMLInputElement[] =>
    Array.from(document.querySelectorAll<HTMLInputElement>('.vp-code-group .tabs input')).filter(
      (input) => input.labels?.[0]?.dataset.title === title,
    );
  const show = async (): Promise<void> => {
    await nextTick();
    for (const input of find(localStorage.getItem(key) ?? '')) if (!input.checked) input.click();
  };
  onMounted(() => {
    document.addEventListener('click', ({ target, isTrusted }) => {
      // One tab is a title.
      if (!isTrusted || !(target instanceof HTMLInputElement)) return;
      const { title } = target.labels?.[0]?.dataset ?? {};
      if (title === undefined || !target.matches('.vp-code-group input:not(:only-of-type)')) return;
      localStorage.setItem(key, title);
      for (const input of find(title)) if (!input.checked) input.click();
    });
    watch(() => route.path, show, { immediate: true, flush: 'post' });
  });
}
