const loopback = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/i;

/** Whether a host of a URL is this machine. */
export const isLoopback = (hostname: string): boolean => loopback.test(hostname);

/** `NO_PROXY` for this machine, for programs that do not exclude it by themselves. */
export const loopbackNoProxy = 'localhost,127.0.0.1,::1';
