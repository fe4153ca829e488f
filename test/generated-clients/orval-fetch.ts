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

/** What every generated call is made with: orval's answer to a server and a key of one's own. */
export async function orvalFetch<T>(path: string, init: RequestInit): Promise<T> {
  const headers = { ...init.headers, Authorization: `Bearer ${connection?.key}` };
  const response = await fetch(`${connection?.baseUrl}${path}`, { ...init, headers });
  const { status } = response;
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const data: unknown = isJson ? await response.json() : await response.text();
  return { data, status, headers: response.headers } as T;
}
