import { isIP } from 'node:net';

/** Whether an address, or a name of this machine, can only be reached from this machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true;
  return isIP(bare) === 4 ? bare.startsWith('127.') : bare === '::1' || bare.startsWith('::ffff:127.');
}
