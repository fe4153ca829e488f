import { signal } from '@preact/signals';
import { decodePiece } from '../text/decode-piece.ts';

/** What is shown, from the address: `#/requests/12` is the panel `requests` with the detail `12`. */
export interface Route {
  readonly panel: string;
  readonly rest: readonly string[];
}

function parseRoute(hash: string): Route {
  const [panel = '', ...rest] = hash.replace(/^#\/?/, '').split('/');
  return { panel, rest: rest.map(decodePiece) };
}

export const route = signal(parseRoute(location.hash));

addEventListener('hashchange', () => {
  route.value = parseRoute(location.hash);
});

/** The address of a panel, or of something in it. */
export const toHref = (...pieces: readonly (string | number)[]): string =>
  `#/${pieces.map(encodeURIComponent).join('/')}`;

/** Shows a panel, or something in it. Going through a list adds nothing to the history of the browser. */
export function navigate(...pieces: readonly (string | number)[]): void {
  history.replaceState(null, '', toHref(...pieces));
  route.value = parseRoute(location.hash);
}
