/* Loaded into a server before its own program, to ask it for its memory once its garbage is collected. */
process.on('message', (asked) => {
  if (asked !== 'memory') return;
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  process.send({ heapUsed, rss });
});
// To be asked must not keep it running.
process.channel.unref();
