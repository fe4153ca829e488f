import { main } from './main.ts';

/* The bundle begins here; bin/orgchat.cjs reads it for all but the version and the help of the root. */
void main(process.argv.slice(2));
