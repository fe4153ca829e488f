import { Argument, type Command } from 'commander';
import { examples } from '../action.ts';
import { isShell, scripts, shells } from '../completion/scripts.ts';
import { writeOut } from '../streams.ts';

export function configure(command: Command): void {
  command.addArgument(new Argument('<shell>', 'the shell').choices(shells));
  command.action(async () => {
    const [shell = ''] = command.args;
    if (isShell(shell)) await writeOut(scripts[shell]);
  });
  examples(
    command,
    ['source <(orgchat completion bash)', 'into ~/.bashrc'],
    ['source <(orgchat completion zsh)', 'into ~/.zshrc'],
    ['orgchat completion fish | source', 'into config.fish'],
  );
}
