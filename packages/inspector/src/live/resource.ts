import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { callControl, toMessage } from '../control-api/client.ts';
import { type ChangeName, onChange, onResync } from './changes.ts';

/** What a panel knows of an answer: nothing yet, the answer, or why there is none. An error keeps the last answer. */
export interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: string | undefined;
}

export interface Resource<T> {
  readonly loaded: Loaded<T>;
  /** Reads it again, such as after a change that this page made. */
  readonly reload: () => void;
}

/** At most one read in this time, however much changes. */
const pauseMs = 200;

/**
 * Reads a path of the control API while a panel is shown, and again when the mock reports one of the changes. An
 * undefined path reads nothing. With `isFollowed`, an answer for which it is false is not read again by itself.
 */
export function useControl<T>(
  path: string | undefined,
  changes: readonly ChangeName[],
  isFollowed: (data: T) => boolean = () => true,
): Resource<T> {
  const names = changes.join();
  const resource = useMemo(() => createResource<T>(path, isFollowed), [path]);
  useEffect(() => resource.start(names.split(',') as ChangeName[]), [resource, names]);
  return { loaded: resource.loaded.value, reload: resource.reload };
}

/** A path that is read once, however many parts of the page show it. Each calls `follow` while it does. */
export function shareControl<T>(
  path: string,
  changes: readonly ChangeName[],
): { readonly loaded: ReadonlySignal<Loaded<T>>; readonly follow: () => () => void } {
  const { loaded, start } = createResource<T>(path, () => true);
  let followers = 0;
  let stop = (): void => {};
  const follow = (): (() => void) => {
    if (followers++ === 0) stop = start(changes);
    return () => {
      if (--followers === 0) stop();
    };
  };
  return { loaded, follow };
}

function createResource<T>(path: string | undefined, isFollowed: (data: T) => boolean) {
  const loaded = signal<Loaded<T>>({ data: undefined, error: undefined });
  let controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReading = false;
  let isStale = false;

  async function read(): Promise<void> {
    if (path === undefined) return;
    isReading = true;
    isStale = false;
    const { signal: aborted } = controller;
    try {
      const data = await callControl<T>('GET', path, undefined, aborted);
      if (!aborted.aborted) loaded.value = { data, error: undefined };
    } catch (error) {
      if (!aborted.aborted) loaded.value = { data: loaded.value.data, error: toMessage(error) };
    }
    if (aborted.aborted) return;
    timer = setTimeout(() => {
      isReading = false;
      if (isStale) void read();
    }, pauseMs);
  }

  const reload = (): void => {
    isStale = true;
    if (!isReading) void read();
  };

  function start(names: readonly ChangeName[]): () => void {
    controller = new AbortController();
    isReading = false;
    void read();
    const follow = (): void => {
      const { data } = loaded.value;
      if (data === undefined || isFollowed(data)) reload();
    };
    const stops = [onChange(({ name }) => names.includes(name) && follow()), onResync(reload)];
    return () => {
      clearTimeout(timer);
      controller.abort();
      for (const stop of stops) stop();
    };
  }
  return { loaded, reload, start };
}
