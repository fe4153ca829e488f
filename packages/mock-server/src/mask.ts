/** A key as it may be shown: enough to recognize it beside its name, too little to use it. */
export function maskKey(key: string): string {
  return key.length < 12 ? '***' : `${key.slice(0, 4)}***${key.slice(-2)}`;
}
