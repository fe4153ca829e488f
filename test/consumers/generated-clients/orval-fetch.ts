/** What the address and the key are; what orval generates knows neither. */
export interface Connection {
  readonly baseUrl: string;
  readonly key: string;
}

let connection: Connection | undefined;
/** It has one connection for all its calls. */
export const use = (given: Connection): void => {
  connection = given;
};

/** The text of a body; of a stream that does not end by itself, its beginning. */
async function readText({ body }: Response, isStream: boolean): Promise<string> {
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (isStream) break;
  }
  return text;
}

/** What every generated call is made with: orval's answer to a server and a key of one's own. */
export async function orvalFetch<T>(path: string, init: RequestInit): Promise<T> {
  const headers = { ...init.headers, Authorization: `Bearer ${connection?.key}` };
  const response = await fetch(`${connection?.baseUrl}${path}`, { ...init, headers });
  const { status } = response;
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  const data: unknown = isJson ? await response.json() : await readText(response, isStream);
  return { data, status, headers: response.headers } as T;
}
