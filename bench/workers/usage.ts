import { answerParent } from '../support/channel.ts';

/* Loaded before a server that knows nothing of the bench, with `node --import`: it tells what the server costs. */

answerParent({
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  memory: () => process.memoryUsage.rss(),
});
process.channel?.unref();
