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
  ['Limit', 'In the mock', '`Retry-After`', 'Answer beyond it', 'Where to read it'],
  [
    [
      'Requests per minute, of a key',
      formatCount(limits.requestsPerMinute),
      'in seconds',
      `\`429\` ${toCodeLink('RATE_LIMITED')}`,
      '`api.perMinute` of [`GET /me`](/reference/api/account)',
    ],
    [
      'Requests per month, of the organization',
      formatCount(defaultPlans.business.monthlyRequests),
      'no',
      `\`429\` ${toCodeLink('QUOTA_EXCEEDED')}`,
      '`api.limit`, with `api.used` so far',
    ],
    [
      'Keywords of a site',
      formatCount(site!.keywordLimit),
      'no',
      `\`400\` ${toCodeLink('KEYWORD_LIMIT_EXCEEDED')}`,
      'nowhere in the API',
    ],
  ],
);

export const subjects: readonly Subject[] = [
  {
    file: 'openapi',
    title: 'API',
    base: '/reference/api/',
    hasOwnPages: true,
    server: 'is the mock. The vendor gives you the address of the real API.',
    facts: [
      [
        'Authentication',
        '`Authorization: Bearer KEY` in every request. Never use a key in browser code or a public repository.',
      ],
      [
        'Keys of the mock',
        '`demo-read-key`, `demo-write-key`, and [others that each cause an error](/how-to/mock-server/testing#demo-keys-and-data)',
      ],
      ['Bodies', 'JSON, with `Content-Type: application/json`'],
    ],
    start:
      'Start the mock: `npm start` in a clone, or `orgchat mock start`. The [playground](/playground) needs neither: it runs in the browser.',
    first: 'getAccount',
    sections: [['Limits', limitTable]],
  },
  {
    file: 'control.openapi',
    title: 'Control API',
    base: '/reference/control-api/',
    hasOwnPages: false,
    server: 'is the mock server. The real API has no control API.',
    facts: [
      [
        'Authentication',
        'None on this machine. Otherwise `Authorization: Bearer TOKEN`, with the token of `--control-token`.',
      ],
      [
        'Other ways',
        'In TypeScript, [the mock in tests](/how-to/mock-server/testing) has the same calls as methods. [The guide](/reference/mock-server/control-api) explains them.',
      ],
    ],
    start: '`npm start` in a clone or `orgchat mock start` starts a mock, and prints its address.',
    first: 'getHealth',
    sections: [],
  },
];
