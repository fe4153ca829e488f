/** Masks a key for display: enough to recognize it next to its name, too little to use it. */
export function maskKey(key: string): string {
  return key.length < 12 ? '***' : `${key.slice(0, 4)}***${key.slice(-2)}`;
}
