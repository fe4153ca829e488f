import { answerParent } from '../support/child-process.ts';

/* Preloaded into a server with `node --import`: reports its processor time and memory. */

answerParent({
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  memory: () => process.memoryUsage.rss(),
});
process.channel?.unref();
