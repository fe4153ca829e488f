import type { Command } from 'commander';
import { examples } from '../define-command.ts';
import { check } from './contract/check.ts';
import { clean } from './contract/clean.ts';

export function configure(command: Command): void {
  check(command);
  clean(command);
  examples(
    command,
    ['orgchat contract check', 'reads only; what differs, what it means, what to do'],
    ['orgchat contract check -o server.yaml', 'writes the description of the server'],
    ['orgchat contract check --write --organization ID', 'also creates and deletes tags and links'],
    ['orgchat contract check --against server.yaml --exit-code', 'in CI: 2 if the server changed'],
    ['orgchat contract clean', 'removes what a check has left'],
  );
}
