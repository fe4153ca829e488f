/*
 * Loaded into every Node process of a checked run. It only subscribes; the rules load with the first answer. A copy
 * runs from the folder of the rules, so that the environment names only this file.
 */
const { subscribe } = require('node:diagnostics_channel');
const { join } = require('node:path');

let watch;
subscribe('orgchat.mock.answer', (answer) => {
  watch ??= require(join(__dirname, 'watch.cjs')).watch;
  watch(answer);
});
