import { splitUnsafe, toEscape } from '@orgchat/spec/unsafe-characters';
import { type ComponentChildren, Fragment, h, options } from 'preact';

/*
 * Shows characters that are invisible, or that change the direction of a text, as escapes. It applies to every text of the
 * page, because a text of the API may be anywhere in it.
 */

/** Elements that can contain nothing but text. */
const plainElements: ReadonlySet<unknown> = new Set(['option', 'title', 'textarea']);

const createEscape = (character: string): ComponentChildren =>
  h('span', { class: 'unsafe', title: 'A character that would not be visible' }, toEscape(character));

/** What an element contains, with each unsafe character of its texts as an escape. The same value if there is none. */
function showUnsafe(children: ComponentChildren, isPlain: boolean): ComponentChildren {
  if (typeof children === 'string') {
    const pieces = splitUnsafe(children);
    if (pieces.length === 1) return children;
    const shown = pieces.map((piece, index) => {
      if (index % 2 === 0) return piece;
      return isPlain ? toEscape(piece) : createEscape(piece);
    });
    return isPlain ? shown.join('') : shown;
  }
  if (!Array.isArray(children)) return children;
  const shown = children.map((child) => showUnsafe(child, isPlain));
  return shown.some((child, index) => child !== children[index]) ? shown : children;
}

/** Makes every text of the page show its unsafe characters. Call it once, before anything is rendered. */
export function showUnsafeEverywhere(): void {
  const next = options.vnode;
  options.vnode = (vnode) => {
    if (typeof vnode.type === 'string' || vnode.type === Fragment) {
      const props = vnode.props as { readonly children?: ComponentChildren };
      const children = showUnsafe(props.children, plainElements.has(vnode.type));
      if (children !== props.children) vnode.props = { ...props, children } as typeof vnode.props;
    }
    next?.(vnode);
  };
}
