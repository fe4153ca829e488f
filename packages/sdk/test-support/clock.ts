// What the SDK loads at first use is loaded before a test begins: it would arrive outside of the test's clock.
import '../src/on-demand.ts';

/** The sources of time that a test clock replaces: all that calls and waits use. */
export const clock = { toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] as const };
