import { Argument, type Command } from 'commander';
import { isShell, scripts, shells } from '../completion/shell-scripts.ts';
import { examples } from '../define-command.ts';
import { writeOut } from '../output/streams.ts';

export function configure(command: Command): void {
  command.addArgument(new Argument('<shell>', 'shell').choices(shells));
  command.action(async () => {
    const [shell = ''] = command.args;
    if (isShell(shell)) await writeOut(scripts[shell]);
  });
  examples(
    command,
    ['source <(orgchat completion bash)', 'add to ~/.bashrc'],
    ['source <(orgchat completion zsh)', 'add to ~/.zshrc'],
    ['orgchat completion fish | source', 'add to config.fish'],
  );
}
