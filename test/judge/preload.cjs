/*
 * Loaded into every process of a judged run. It only listens: the rules are read once there is an answer. A copy of
 * it runs beside them, so that nothing but this one file has to be named in the environment.
 */
const { subscribe } = require('node:diagnostics_channel');
const { join } = require('node:path');

let watch;
subscribe('orgchat.mock.answer', (answer) => {
  watch ??= require(join(__dirname, 'watch.cjs')).watch;
  watch(answer);
});
