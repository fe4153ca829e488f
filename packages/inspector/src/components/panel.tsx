import type { ComponentChildren } from 'preact';
import type { Resource } from '../live/resource.ts';
import { Value } from './value.tsx';

/** The frame of a panel: its heading, what can be done with all of it, and its content. */
export function Panel({
  title,
  about,
  aboutMore,
  actions,
  fill = false,
  children,
}: {
  readonly title: string;
  readonly about?: string;
  /** Details that few people look for, in a fold. */
  readonly aboutMore?: { readonly title: string; readonly text: string };
  readonly actions?: ComponentChildren;
  /** Whether the content takes the height of the window and scrolls inside. */
  readonly fill?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <section class={fill ? 'panel panel-fill' : 'panel'} aria-labelledby="panel-title">
      <header class="panel-head">
        <h1 id="panel-title" tabIndex={-1}>
          {title}
        </h1>
        {actions !== undefined && <div class="panel-actions">{actions}</div>}
        {about !== undefined && <p class="panel-about">{about}</p>}
        {aboutMore !== undefined && (
          <details class="panel-about">
            <summary>{aboutMore.title}</summary>
            <p>{aboutMore.text}</p>
          </details>
        )}
      </header>
      {children}
    </section>
  );
}

export function Card({
  title,
  aside,
  children,
}: {
  readonly title: string;
  /** Beside the title: a state, or what can be done. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="card">
      <header class="card-head">
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** What is shown instead of an empty list: what would be here, and how to get it. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** The content of an answer, or that it is loading, or why there is none. After an error the last answer stays. */
export function Load<T>({
  from: { loaded, reload },
  children,
}: {
  readonly from: Resource<T>;
  readonly children: (data: T) => ComponentChildren;
}) {
  const { data, error } = loaded;
  return (
    <>
      {error !== undefined && (
        <div class="notice notice-bad" role="alert">
          <p>{error}</p>
          <button type="button" class="button" onClick={reload}>
            Try again
          </button>
        </div>
      )}
      {data === undefined ? error === undefined && <p class="loading">Loading…</p> : children(data)}
    </>
  );
}

const isText = (value: ComponentChildren): boolean =>
  value === null || value === undefined || typeof value === 'string';

/** Names and values of one thing. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{isText(value) ? <Value of={value} /> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'plain';

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}
