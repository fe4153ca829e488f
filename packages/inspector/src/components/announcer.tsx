import { signal } from '@preact/signals';

const message = signal('');

/** Announces a few words to screen readers. Use it for results of what the person did, and not for live data. */
export function announce(text: string): void {
  // The same text twice in a row would not be read again.
  message.value = message.value === text ? `${text}\u00a0` : text;
}

export function Announcer() {
  return (
    <p class="visually-hidden" role="status">
      {message.value}
    </p>
  );
}
