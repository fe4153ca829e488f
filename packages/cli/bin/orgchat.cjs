#!/usr/bin/env node
'use strict';

/* CommonJS, here and in the bundle, because Node starts it sooner; what it answers itself, it answers without the bundle. */

const args = process.argv.slice(2);
const [first = '--help'] = args;
const only = args.length <= 1 ? first : undefined;

const print = (text) => {
  process.stdout.on('error', ({ code, message }) => {
    // A reader that has seen enough (`| true`) closed the pipe; that is an end, not an error.
    if (code === 'EPIPE') process.exit(0);
    process.stderr.on('error', () => process.exit(1));
    process.stderr.write(`orgchat: cannot write output: ${message}\n  next: free up disk space\n`);
    process.exit(1);
  });
  process.stdout.write(text);
};

if (only === '--version' || only === '-V') {
  print(`${require('../package.json').version}\n`);
} else if (only === '--help' || only === '-h' || only === 'help') {
  const { join } = require('node:path');
  print(require('node:fs').readFileSync(join(__dirname, '../dist/help.txt'), 'utf8'));
} else {
  // Node 22 and later keep the compiled code between runs; Node 20 has no such function.
  require('node:module').enableCompileCache?.();
  // The stack of a bug then shows files and lines of the sources. Node reads a map only while it loads the code of it.
  if (args.includes('--debug')) process.setSourceMapsEnabled(true);
  void require('../dist/cli.cjs').main(args);
}
