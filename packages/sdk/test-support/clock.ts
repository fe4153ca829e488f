/** The sources of time that a test clock replaces: all that calls and waits use. */
export const clock = { toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] as const };
