type Call = (index: number) => unknown | Promise<unknown>;

/** Microseconds a call, over so many calls one after another. */
export async function microseconds(calls: number, call: Call): Promise<number> {
  const begun = performance.now();
  for (let i = 0; i < calls; i++) await call(i);
  return ((performance.now() - begun) * 1000) / calls;
}

/**
 * The same in time of the processor, the threads of the collector and the compiler included: where the work never
 * waits, that is at least the time it takes on a machine that does nothing else. Let `calls` fill tens of
 * milliseconds, so that every turn has its share of collections. Forcing one before each turn would not do: V8 then
 * also throws away what it compiled, and the calls cost three times as much.
 */
export async function processorMicroseconds(calls: number, call: Call): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) await call(i);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
