import { useRoute } from 'vitepress';
import { nextTick, onMounted, watch } from 'vue';

/** Marks each code block, as long as its lines continue beyond its edge. */
export function useOverflowMarks(): void {
  const route = useRoute();
  const mark = (pre: Element): void => {
    const hidden = pre.scrollWidth - pre.clientWidth - pre.scrollLeft;
    pre.parentElement?.classList.toggle('more', hidden > 1);
  };
  onMounted(() => {
    const observer = new ResizeObserver((entries) => {
      for (const { target } of entries) mark(target.closest('pre') ?? target);
    });
    const observe = async (): Promise<void> => {
      observer.disconnect();
      await nextTick();
      for (const code of document.querySelectorAll('.vp-doc div[class*="language-"] > pre > code')) {
        const pre = code.parentElement;
        if (pre === null) continue;
        // The block changes with the window, the code with its font.
        observer.observe(pre);
        observer.observe(code);
        pre.addEventListener('scroll', () => mark(pre), { passive: true });
      }
    };
    watch(() => route.path, observe, { immediate: true, flush: 'post' });
  });
}
