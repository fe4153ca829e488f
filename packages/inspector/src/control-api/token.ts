import { signal } from '@preact/signals';

/* The token of the control API. It stays in this tab, and is only sent in a header. */

const storageKey = 'orgchat-control-token';

/** Undefined if the mock requires no token, or if it was not given yet. */
export const token = signal<string | undefined>(sessionStorage.getItem(storageKey) ?? undefined);

export function setToken(text: string): void {
  sessionStorage.setItem(storageKey, text);
  token.value = text;
}

/** Takes the token from `#token=…`, and removes it from the address line and the history. */
export function takeTokenFromAddress(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null) return;
  setToken(given);
  history.replaceState(null, '', location.pathname);
}
