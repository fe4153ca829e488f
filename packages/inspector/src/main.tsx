import { render } from 'preact';
import { takeTokenFromAddress } from './control-api/token.ts';
import { startLive } from './live/connection.ts';
import { App } from './shell/app.tsx';
import './styles/index.css';

takeTokenFromAddress();
startLive();
render(<App />, document.body);
