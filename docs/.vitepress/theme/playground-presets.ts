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
    /** What its button says. */
    readonly action: string;
    readonly from: string;
    readonly to: string;
  };
  /** Where to read on. */
  readonly more: { readonly text: string; readonly link: string };
}

export const presets: Readonly<Record<string, Preset>> = {
  'Lost answer': {
    code: lostAnswer,
    shows:
      'The server applies a change, but its answer is lost. The SDK retries and gets the stored answer, so there is only one tag.',
    next: {
      text: 'Delete the `arm()` line.',
      effect: 'The SDK then sends the change once and does not retry.',
      action: 'Delete it and run',
      from: "mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });\n",
      to: '',
    },
    more: { text: 'Lose an answer in your own program', link: '/tutorial/lost-answer' },
  },
  Conflict: {
    code: conflict,
    shows:
      'Somebody else changes the tag first. `update()` fails instead of overwriting that change. `edit()` reads the tag again and keeps both changes.',
    next: {
      text: 'Delete the first `arm()` line.',
      effect: 'The first `update()` then succeeds.',
      action: 'Delete it and run',
      from: 'mock.faults.arm(rival);\n',
      to: '',
    },
    more: { text: 'Conflicts and other errors', link: '/reference/sdk/errors' },
  },
  'Rate limit': {
    code: rateLimit,
    shows: 'The mock allows two requests per minute. It answers the third with 429 until its clock moves on.',
    next: {
      text: 'Set `rateLimit` to 3.',
      effect: 'The mock then accepts all requests.',
      action: 'Set it to 3 and run',
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
    shows: 'Two clients send the same order with the same intent. The server applies it once.',
    next: {
      text: 'Delete the intent.',
      effect: 'The server then creates two tags.',
      action: 'Delete it and run',
      from: "intent: ['order', 'A-17']",
      to: '',
    },
    more: { text: 'What an intent is', link: '/explanation/sdk/intents' },
  },
};
