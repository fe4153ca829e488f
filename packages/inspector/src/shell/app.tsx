import { replaceUnsafe } from '@orgchat/spec/unsafe-characters';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Announcer } from '../components/announcer.tsx';
import { route, toHref } from '../components/route.ts';
import { baseUrl, controlPath, needsToken } from '../control-api/client.ts';
import { ownSandbox } from '../live/start-page.ts';
import { ConnectionNotice, ConnectionSign } from './connection-notice.tsx';
import { panels } from './panels.ts';
import { TokenForm } from './token-form.tsx';

export function App() {
  const current = panels.find(({ name }) => name === route.value.panel) ?? panels[0];
  const [isMenuOpen, setMenuOpen] = useState(false);
  const isFirst = useRef(true);
  useEffect(() => {
    // A person who chose a panel with the keyboard continues in it.
    if (!isFirst.current) document.getElementById('panel-title')?.focus();
    isFirst.current = false;
    setMenuOpen(false);
  }, [current]);
  const sandbox = ownSandbox.value;
  const owner = sandbox === undefined ? 'orgchat mock' : replaceUnsafe(sandbox.name ?? sandbox.id);
  useEffect(() => {
    // Many tabs are distinguished by their first words.
    document.title = sandbox === undefined ? `${current.title} · ${owner}` : `${owner} · ${current.title}`;
  }, [current, sandbox, owner]);
  const Content = current.component;
  return (
    <div class="app">
      <button type="button" class="skip" onClick={() => document.getElementById('panel')?.focus()}>
        Skip to content
      </button>
      <header class="top">
        <div class="brand">
          {sandbox === undefined ? (
            <span class="brand-name">orgchat mock</span>
          ) : (
            <>
              <span class="brand-name brand-sandbox" title={sandbox.id}>
                Sandbox {sandbox.name ?? sandbox.id}
              </span>
              <a href={`${controlPath(sandbox.parentInspector)}#/sandboxes`}>All sandboxes</a>
            </>
          )}
          <span class="brand-url" title={baseUrl}>
            {baseUrl.replace(/^https?:\/\//, '')}
          </span>
        </div>
        <ConnectionSign />
        <button
          type="button"
          class="button menu-button"
          aria-expanded={isMenuOpen}
          aria-controls="menu"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          Menu
        </button>
      </header>
      <nav id="menu" class={isMenuOpen ? 'menu menu-open' : 'menu'} aria-label="Panels">
        {panels.map(({ name, title, startsGroup }) => (
          <a
            key={name}
            class={startsGroup && 'menu-group'}
            href={toHref(name)}
            aria-current={name === current.name ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <main id="panel" tabIndex={-1}>
        <ConnectionNotice />
        {needsToken.value ? <TokenForm /> : <Content key={current.name} />}
      </main>
      <Announcer />
    </div>
  );
}
