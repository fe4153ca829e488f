import { posix } from 'node:path';

/** How the pages of a package lead out of it. */
export interface LinkTargets {
  /** The folder of the package, relative to the root of the repository. */
  readonly folder: string;
  /** The files of the package, relative to its folder. */
  readonly files: readonly string[];
  /** The address of the repository at the version that is packed, such as `…/blob/v0.1.0`, or undefined if it is not set. */
  readonly base: string | undefined;
}

/** A block of code, or a link whose target is not an address and not a heading. Its text may have brackets, as an image has. */
const codeOrLink = /^```[\s\S]*?^```|`[^`\n]*`|(!?)\[((?:[^[\]]|\[[^[\]]*\])*)\]\((?!https?:|#)([^)\s]+)\)/gm;

/**
 * Returns a page of a package as it is packed. In the repository, a page may link to any file of it; an installed package
 * has only its own files, so a link that leads out of it becomes the address of that file. Without an address, it becomes
 * the name of the file.
 */
export function rewritePackedLinks(text: string, page: string, targets: LinkTargets): string {
  const { folder, files, base } = targets;
  return text.replaceAll(codeOrLink, (whole, image = '', inner = '', target = '') => {
    const [path = '', anchor] = (target as string).split('#');
    if (path === '' || files.includes(posix.join(posix.dirname(page), path))) return whole;
    const label = rewritePackedLinks(inner, page, targets);
    const file = posix.join(folder, posix.dirname(page), path);
    if (base === undefined) return image === '' ? `${label} (\`${file}\` in the repository)` : label;
    const address = `${base}/${file}${anchor === undefined ? '' : `#${anchor}`}`;
    return `${image}[${label}](${image === '' ? address : `${address}?raw=true`})`;
  });
}
