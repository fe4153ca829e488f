/** An IPv4 address that begins with 127. */
const loopbackV4 = /^127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;

/** Whether an address, or a name of this machine, can only be reached from this machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true;
  return loopbackV4.test(bare) || bare === '::1' || bare.startsWith('::ffff:127.');
}
