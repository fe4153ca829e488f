import { useEffect, useRef, useState } from 'preact/hooks';
import { Announcer } from '../components/announcer.tsx';
import { route, toHref } from '../components/route.ts';
import { baseUrl, needsToken } from '../control-api/client.ts';
import { ConnectionNotice, ConnectionSign } from './connection-notice.tsx';
import { panels } from './panels.ts';
import { TokenForm } from './token-form.tsx';

export function App() {
  const current = panels.find(({ name }) => name === route.value.panel) ?? panels[0];
  const [isMenuOpen, setMenuOpen] = useState(false);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${current.title} · orgchat mock`;
    // A person who chose a panel with the keyboard continues in it.
    if (!isFirst.current) document.getElementById('panel-title')?.focus();
    isFirst.current = false;
    setMenuOpen(false);
  }, [current]);
  const Content = current.component;
  return (
    <div class="app">
      <button type="button" class="skip" onClick={() => document.getElementById('panel')?.focus()}>
        Skip to content
      </button>
      <header class="top">
        <div class="brand">
          <span class="brand-name">orgchat mock</span>
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
