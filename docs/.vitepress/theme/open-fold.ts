import { useRoute } from 'vitepress';
import { nextTick, onMounted, onUnmounted, watch } from 'vue';

/** Opens the fold that a link leads to. */
export function useOpenFold(): void {
  const route = useRoute();
  const open = async (): Promise<void> => {
    await nextTick();
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  onMounted(() => {
    window.addEventListener('hashchange', open);
    watch(() => route.path, open, { immediate: true, flush: 'post' });
  });
  onUnmounted(() => window.removeEventListener('hashchange', open));
}
