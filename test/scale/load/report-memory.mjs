/* Preloaded into the server: reports its memory after garbage collection. */
process.on('message', (asked) => {
  if (asked !== 'memory') return;
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  process.send({ heapUsed, rss });
});
// The channel must not keep the process running.
process.channel.unref();
