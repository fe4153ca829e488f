type Call = (index: number) => unknown | Promise<unknown>;

/** Microseconds per call, over `calls` calls in sequence. */
export async function microseconds(calls: number, call: Call): Promise<number> {
  const begun = performance.now();
  for (let i = 0; i < calls; i++) await call(i);
  return ((performance.now() - begun) * 1000) / calls;
}

/**
 * The same in processor time, including the threads of the garbage collector and the compiler. For work that never
 * waits, this is at least the duration on an idle machine. Choose `calls` to take tens of milliseconds, so that every
 * turn includes collections. Do not force a collection before each turn: V8 then also discards compiled code, and the
 * calls cost three times as much.
 */
export async function processorMicroseconds(calls: number, call: Call): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) await call(i);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
