/** Sets another clock of this machine, until the returned function is called. */
export const setClock = (offsetMs: number) => {
  const { now } = Date;
  Date.now = () => now() + offsetMs;
  return () => {
    Date.now = now;
  };
};
