/* Node, Bun and Deno: prints the facts as one line of JSON. */
import * as sdk from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import { collectFacts } from './facts.mjs';

const at = JSON.parse(process.argv[2]);
console.log(JSON.stringify(await collectFacts(sdk, at, () => fileJournal(at.folder))));
