#!/usr/bin/env node
'use strict';

/* CommonJS, here and in the bundle, because Node starts it sooner; what it answers itself, it answers without the bundle. */

const args = process.argv.slice(2);
const [first = '--help'] = args;
const only = args.length <= 1 ? first : undefined;

if (only === '--version' || only === '-V') {
  process.stdout.write(`${require('../package.json').version}\n`);
} else if (only === '--help' || only === '-h' || only === 'help') {
  const { join } = require('node:path');
  process.stdout.write(require('node:fs').readFileSync(join(__dirname, '../dist/help.txt'), 'utf8'));
} else {
  // Node 22 and later keep the compiled code between runs; Node 20 has no such function.
  require('node:module').enableCompileCache?.();
  require('../dist/cli.cjs');
}
