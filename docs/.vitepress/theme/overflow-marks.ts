import { useRoute } from 'vitepress';
import { nextTick, onMounted, watch } from 'vue';

/** Code, whose parent is the box that is scrolled. */
const code = '.vp-doc div[class*="language-"] > pre > code, .code-editor textarea';

/** Marks the frame of each box of code, as long as lines continue beyond its edge. */
export function useOverflowMarks(): void {
  const route = useRoute();
  const mark = (box: Element): void => {
    const hidden = box.scrollWidth - box.clientWidth - box.scrollLeft;
    box.parentElement?.classList.toggle('more', hidden > 1);
  };
  onMounted(() => {
    const observer = new ResizeObserver((entries) => {
      for (const { target } of entries)
        mark(target.matches(code) ? (target.parentElement ?? target) : target);
    });
    const observe = async (): Promise<void> => {
      observer.disconnect();
      await nextTick();
      for (const content of document.querySelectorAll(code)) {
        const box = content.parentElement;
        if (box === null) continue;
        // The box changes with the window, the code with its text and its font.
        observer.observe(box);
        observer.observe(content);
        box.addEventListener('scroll', () => mark(box), { passive: true });
      }
    };
    watch(() => route.path, observe, { immediate: true, flush: 'post' });
  });
}
