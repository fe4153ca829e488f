import { useRoute } from 'vitepress';
import { nextTick, onMounted, watch } from 'vue';

/** Brings the entry of the page into sight, where the sidebar is longer than the window. */
export function useActiveEntry(): void {
  const route = useRoute();
  const show = async (): Promise<void> => {
    await nextTick();
    // The links to other pages are not the footer of the site.
    document.querySelector('.VPDocFooter')?.setAttribute('role', 'group');
    const sidebar = document.querySelector('.VPSidebar');
    // The heading of a group opens it, so its mark must not be a button inside a button.
    for (const mark of sidebar?.querySelectorAll('.item[role="button"] > .caret') ?? [])
      for (const name of ['role', 'tabindex', 'aria-label']) mark.removeAttribute(name);
    const entry = sidebar?.querySelector('.VPSidebarItem.is-link.is-active > .item');
    if (!sidebar || !entry) return;
    const { top, bottom } = entry.getBoundingClientRect();
    const box = sidebar.getBoundingClientRect();
    if (top < box.top + 64 || bottom > box.bottom - 32) sidebar.scrollTop += top - box.top - box.height / 3;
  };
  onMounted(() => watch(() => route.path, show, { immediate: true, flush: 'post' }));
}
