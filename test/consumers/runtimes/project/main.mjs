/* Node, Bun and Deno: prints the facts as one line of JSON. */
import * as sdk from '@orgchat/sdk';
import { encryptedJournal, fileJournal } from '@orgchat/sdk/node';
import { collectFacts } from './facts.mjs';

const at = JSON.parse(process.argv[2]);
const journals = {
  fileJournal: () => fileJournal(at.folder),
  encryptedJournal: () => encryptedJournal(fileJournal(`${at.folder}/encrypted`), 'ab'.repeat(32)),
};
console.log(JSON.stringify(await collectFacts(sdk, at, journals)));
