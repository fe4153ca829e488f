import { onContentUpdated } from 'vitepress';
import { nextTick, onMounted } from 'vue';

/** Marks the section that is read in the table of contents of a page. Styles show only its own parts. */
export function useCurrentSection(): void {
  let isPlanned = false;
  const mark = (): void => {
    isPlanned = false;
    const links = Array.from(
      document.querySelectorAll<HTMLAnchorElement>('.VPDocAsideOutline .outline-link'),
    );
    const isRead = ({ hash }: HTMLAnchorElement): boolean => {
      const heading = document.getElementById(decodeURIComponent(hash.slice(1)));
      return heading !== null && heading.getBoundingClientRect().top < 140;
    };
    const isEnd = window.scrollY > 0 && window.innerHeight + window.scrollY >= document.body.offsetHeight - 2;
    const current = isEnd ? links.at(-1) : (links.findLast(isRead) ?? links[0]);
    for (const link of links)
      if (link === current) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
  };
  const plan = (): void => {
    if (!isPlanned) requestAnimationFrame(mark);
    isPlanned = true;
  };
  onMounted(() => {
    for (const event of ['scroll', 'resize'] as const) addEventListener(event, plan, { passive: true });
  });
  // The entries are there a tick after the page.
  onContentUpdated(() => void nextTick(plan));
}
