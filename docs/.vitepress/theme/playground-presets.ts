import conflict from '../../site/playground/presets/conflict.js?raw';
import lostAnswer from '../../site/playground/presets/lost-answer.js?raw';
import rateLimit from '../../site/playground/presets/rate-limit.js?raw';
import sameIntent from '../../site/playground/presets/same-intent.js?raw';

/* The programs of the playground. In a text, code is between backticks. */

export interface Preset {
  readonly code: string;
  /** What it shows. */
  readonly shows: string;
  /** What to change in it: a part of the code, and what takes its place. */
  readonly next: {
    readonly text: string;
    readonly effect: string;
    readonly from: string;
    readonly to: string;
  };
  /** Where to read on. */
  readonly more: { readonly text: string; readonly link: string };
}

export const presets: Readonly<Record<string, Preset>> = {
  'Lost answer': {
    code: lostAnswer,
    shows: 'The answer to a change is lost. The retry gets the stored answer, so there is one tag.',
    next: {
      text: 'Delete the `arm()` line.',
      effect: 'Then there is one request, and no retry.',
      from: "mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });\n",
      to: '',
    },
    more: { text: 'Lose an answer in your own program', link: '/tutorial/lost-answer' },
  },
  Conflict: {
    code: conflict,
    shows: 'Somebody else changes the tag first. `update()` overwrites nothing, and `edit()` reads again.',
    next: {
      text: 'Delete the first `arm()` line.',
      effect: 'Then `update()` succeeds.',
      from: 'mock.faults.arm(rival);\n',
      to: '',
    },
    more: { text: 'Conflicts and other errors', link: '/reference/sdk/errors' },
  },
  'Rate limit': {
    code: rateLimit,
    shows: 'Beyond the limit, the answer is 429 until the clock moves on.',
    next: {
      text: 'Set `rateLimit` to 3.',
      effect: 'Then nothing is refused.',
      from: 'rateLimit: 2',
      to: 'rateLimit: 3',
    },
    more: {
      text: 'How the SDK paces requests',
      link: '/reference/sdk/options#timeouts-retries-and-rate-limits',
    },
  },
  'Same intent': {
    code: sameIntent,
    shows: 'Two clients send one order under one intent. It is applied once.',
    next: {
      text: 'Delete the intent.',
      effect: 'Then there are two tags.',
      from: "intent: ['order', 'A-17']",
      to: '',
    },
    more: { text: 'What an intent is', link: '/explanation/sdk/intents' },
  },
};
