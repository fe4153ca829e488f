/* The packed packages at work, as their users install them: SDK, mock server, command line and fleet. */
import './sdk.mjs';
import './adapters.mjs';
import './msw.mjs';
import './command.mjs';
import './fleet.mjs';
import { test } from 'node:test';

test(`all of this ran on ${process.version}`, () => {});
