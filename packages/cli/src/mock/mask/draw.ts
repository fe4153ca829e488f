/** Draws an item; never the one that must change. */
export type Draw = <T>(items: readonly T[], not?: T) => T;

/** Creates a reproducible source of random choices: the same name gives the same choices. */
export function createDraw(name: string): Draw {
  // FNV-1a to get a number from the name, then mulberry32. Nothing here has to be secret: what is drawn depends on
  // the place of a text and not on the text.
  let state = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) state = Math.imul(state ^ name.charCodeAt(at), 0x01000193);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return <T>(items: readonly T[], not?: T): T => {
    for (;;) {
      const item = items[Math.floor(next() * items.length)] as T;
      if (item !== not || items.length < 2) return item;
    }
  };
}
