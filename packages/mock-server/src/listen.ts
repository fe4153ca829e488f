import { openHttpDoor } from './doors/http.ts';
import type { Addresses, Family, Mock } from './mock.ts';
import { dispatch } from './router.ts';

export interface ListenOptions {
  /** 0 takes a free one. Default: 4010. */
  readonly port?: number;
  /** Default: 127.0.0.1, which nothing but this machine reaches. */
  readonly host?: string;
}

/** A mock that takes connections. */
export interface Listening extends Addresses {
  readonly port: number;
  /** Scheme and authority. */
  readonly url: string;
  /** What the control API wants as a bearer token; undefined where only this machine reaches it. */
  readonly controlToken: string | undefined;
  /** Finishes what is in flight, then stops. */
  close(): Promise<void>;
}

export async function listen(mock: Mock, family: Family, options: ListenOptions): Promise<Listening> {
  const { port = 4010, host = '127.0.0.1' } = options;
  const door = await openHttpDoor({
    port,
    host,
    dispatch: (request) => dispatch(mock, request),
    sleep: family.sleep,
    onError: family.onError,
    malformed: (status) => ({
      status,
      headers: { 'Content-Type': 'application/json', 'X-Request-Id': family.nextRequestId() },
      body: JSON.stringify({ error: 'INVALID_INPUT', message: 'This is not an HTTP request.' }),
    }),
  });
  return {
    ...mock.addresses(door.url),
    port: door.port,
    url: door.url,
    controlToken: family.controlToken,
    close: door.close,
  };
}
