import { limits } from '@orgchat/spec';
import { demoOrganization } from '../../../packages/mock-server/src/seed/demo.ts';
import { defaultPlans } from '../../../packages/mock-server/src/seed/schema.ts';
import { toTable } from './page.ts';

/** A document of the contract, and what its pages say besides what is in it. */
export interface Subject {
  readonly file: string;
  readonly title: string;
  /** The address of its pages. */
  readonly base: string;
  /** Whether each endpoint has a page of its own; otherwise there is one for each group. */
  readonly hasOwnPages: boolean;
  /** What a reader has to know before the first request, besides the base URL. */
  readonly server: string;
  readonly facts: readonly (readonly [name: string, text: string])[];
  /** The endpoint of the first request, and how to get a server that answers it. */
  readonly first: string;
  readonly start: string;
  /** Sections of the start page. */
  readonly sections: readonly (readonly [heading: string, text: string])[];
}

const formatCount = (count: number): string => count.toLocaleString('en');

const toCodeLink = (code: string): string => `[\`${code}\`](/reference/error-codes#${code})`;

const [site] = demoOrganization.sites;

const limitTable = toTable(
  ['Limit', 'Mock', 'Response beyond it'],
  [
    [
      'Requests per minute of a key<br>Read it in `api.perMinute` of [`GET /me`](/reference/api/account).',
      formatCount(limits.requestsPerMinute),
      `\`429\` ${toCodeLink('RATE_LIMITED')}<br>\`Retry-After\` says how many seconds to wait.`,
    ],
    [
      'Requests per month of the organization<br>Read it in `api.limit`, and your use so far in `api.used`.',
      formatCount(defaultPlans.business.monthlyRequests),
      `\`429\` ${toCodeLink('QUOTA_EXCEEDED')}<br>There is no \`Retry-After\`.`,
    ],
    [
      'Keywords of a site<br>The API has no way to read this limit.',
      formatCount(site!.keywordLimit),
      `\`400\` ${toCodeLink('KEYWORD_LIMIT_EXCEEDED')}`,
    ],
  ],
);

export const subjects: readonly Subject[] = [
  {
    file: 'openapi',
    title: 'API',
    base: '/reference/api/',
    hasOwnPages: true,
    server: 'is the address of the mock. The operator of the API you use gives you its address.',
    facts: [
      [
        'Authentication',
        'Send `Authorization: Bearer KEY` with every request. Never use a key in browser code or a public repository.',
      ],
      [
        'Keys of the mock',
        'Use `demo-read-key` or `demo-write-key`. There are also [keys that cause errors](/how-to/mock-server/testing#demo-keys-and-data).',
      ],
      ['Bodies', 'Send JSON with `Content-Type: application/json`.'],
      [
        'Language of messages',
        'Send `Accept-Language: en` or `Accept-Language: ja` to choose the language of error messages.',
      ],
    ],
    start:
      '[Install the command](/how-to/adopt-the-mock#1-install), then start the mock in a terminal. In a clone of the repository, `npm start` does the same.\n\n```sh\norgchat mock start\n```\n\nThen send a request from another terminal. You can also try the API in the [playground](/playground), which needs no installation.',
    first: 'getAccount',
    sections: [['Limits', limitTable]],
  },
  {
    file: 'control.openapi',
    title: 'Control API',
    base: '/reference/control-api/',
    hasOwnPages: false,
    server: 'is the address of the mock server. The real API has no control API.',
    facts: [
      [
        'Authentication',
        'You need no token on this machine. From other machines, send `Authorization: Bearer TOKEN` with the token of `--control-token`.',
      ],
      [
        'Other ways',
        'In TypeScript, [the mock in tests](/how-to/mock-server/testing) has the same calls as methods. [The guide](/reference/mock-server/control-api) explains each call.',
      ],
    ],
    start:
      '[Install the command](/how-to/adopt-the-mock#1-install), then start the mock in a terminal. It prints its address. In a clone of the repository, `npm start` does the same.\n\n```sh\norgchat mock start\n```\n\nThen send a request from another terminal:',
    first: 'getHealth',
    sections: [],
  },
];
