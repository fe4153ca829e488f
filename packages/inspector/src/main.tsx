import { render } from 'preact';
import { takeTokenFromAddress } from './control-api/token.ts';
import { startLive } from './live/connection.ts';
import { App } from './shell/app.tsx';
import { showUnsafeEverywhere } from './text/show-unsafe.ts';
import './styles/index.css';

showUnsafeEverywhere();
takeTokenFromAddress();
startLive();
render(<App />, document.body);
