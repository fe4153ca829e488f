/** A key that an object in JSON has twice. */
export class RepeatedKeyError extends SyntaxError {
  override readonly name = 'RepeatedKeyError';

  constructor(key: string, line: number) {
    super(`an object has the key ${JSON.stringify(key)} twice, again at line ${line}`);
  }
}

/** Parses JSON. Of two values with the same key, `JSON.parse` would silently keep the second. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  requireUniqueKeys(text);
  return value;
}

/** Reads what is known to be JSON, so that only texts, and the ends of objects, have to be distinguished. */
function requireUniqueKeys(text: string): void {
  const open: Set<string>[] = [];
  const colon = /\s*:/y;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') open.push(new Set());
    else if (text[at] === '}') open.pop();
    else if (text[at] === '"') {
      const start = at;
      for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++;
      colon.lastIndex = at + 1;
      if (!colon.test(text)) continue;
      const key = JSON.parse(text.slice(start, at + 1)) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) throw new RepeatedKeyError(key, text.slice(0, start).split('\n').length);
      keys?.add(key);
    }
  }
}

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
