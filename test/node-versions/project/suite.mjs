/* The packed packages at work, as their users install them: SDK, mock server and command line. */
import './sdk.mjs';
import './adapters.mjs';
import './msw.mjs';
import './command.mjs';
import { test } from 'node:test';

test(`all of this ran on ${process.version}`, () => {});
