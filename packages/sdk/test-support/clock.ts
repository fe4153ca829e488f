/** What a clock of a test stands in for: all that calls and their waits are timed by. */
export const clock = { toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] as const };
