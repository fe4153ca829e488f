import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { mapProse } from './split-pages.ts';

/** A link of Markdown to a page or file of the site, without its anchor. */
const link = /(\]\()(?!https?:|mailto:|#)([^)\s#]+)/g;

/**
 * Lets the links of the twins in Markdown lead to twins. In a built site, each page has a twin for programs that read. Its links
 * are those of the page: they lead to HTML, or are relative to a folder that the twin of its first page is not in. A page without
 * a twin, such as the playground, keeps its own.
 *
 * @param dist The folder of the built site.
 */
export function linkTwins(dist: string): void {
  const twins = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  );
  for (const file of twins) {
    const page = `/${file.replaceAll('\\', '/')}`;
    const toTwin = (path: string): string | undefined =>
      [
        `${path.replace(/\/$/, '')}.md`,
        posix.join(posix.dirname(page), path),
        posix.join(page.slice(0, -3), path),
      ].find((twin) => twin.startsWith('/') && twin.endsWith('.md') && existsSync(join(dist, twin)));
    const text = readFileSync(join(dist, file), 'utf8');
    const linked = mapProse(text, (prose) =>
      prose
        // What opens and closes on a page.
        .replace(/^:::(?: details (.+)| code-group)?$/gm, (_line, title: string | undefined) =>
          title ? `${title}:` : '',
        )
        .replace(link, (whole, mark: string, path: string) => {
          const found = toTwin(path) ?? (existsSync(join(dist, `${path}.html`)) ? `${path}.html` : undefined);
          return found === undefined ? whole : mark + found;
        }),
    );
    if (linked !== text) writeFileSync(join(dist, file), linked);
  }
}
