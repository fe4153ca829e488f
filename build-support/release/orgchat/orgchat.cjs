#!/usr/bin/env node
'use strict';

/* The command of @orgchat/cli, in this process: arguments, exit codes and signals are its own. */
const { join } = require('node:path');

require(join(require.resolve('@orgchat/cli/package.json'), '../bin/orgchat.cjs'));
