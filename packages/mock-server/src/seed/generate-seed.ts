import type { SeedDocument } from '../generated/public-types.ts';
import { toIsoString } from '../primitives/clock.ts';
import { SeededRandom } from '../primitives/seeded-random.ts';
import { demoSeed, demoOrganization as main } from './demo.ts';

/** The size of a generated seed. */
export interface GenerateOptions {
  readonly friends?: number;
  /** Messages per friend. Default: 3. */
  readonly messages?: number;
  readonly tags?: number;
  readonly templates?: number;
  readonly documents?: number;
  readonly keywords?: number;
  /** The same number gives the same seed. Default: 1. */
  readonly randomSeed?: number;
}

const given = ['Aiko', 'Ben', 'Chika', 'Dana', 'Emi', 'Finn', 'Goro', 'Hana', 'Ivo', 'Jun', '健', '美咲'];
const services = ['Tanaka', 'Carter', 'Sato', 'Novak', 'Suzuki', 'Weber', 'Mori', 'Silva', '高橋', '渡辺'];
const sentences = [
  'Do you open on Sunday?',
  'Yes, from ten to six.',
  'My parcel has not come.',
  'Thank you!',
  '予約を変更できますか?',
  'はい、承りました。',
];
const colors = ['neutral', 'blue', 'purple', 'brown', 'pink', 'orange', 'green'] as const;
const kinds = ['specification', 'brand', 'component', 'note'] as const;
const states = ['unread', 'in_progress', 'resolved'] as const;

const from = Date.parse('2025-01-01T00:00:00.000Z');
const minute = 60_000;

/**
 * Generates a seed of any size: the keys, plans and accounts of the demo, and as many other records as requested. The
 * same options give the same seed.
 */
export function generateSeed(options: GenerateOptions = {}): SeedDocument {
  const { friends = 0, messages = 3, tags = 0, templates = 0, documents = 0, keywords = 0 } = options;
  const chance = new SeededRandom(options.randomSeed ?? 1);
  const one = <T>(items: readonly T[]): T => items[chance.nextInt(items.length)] as T;
  const many = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index));
  const at = (index: number): string => toIsoString(from + index * minute);

  const moreTags = many(tags, (index) => ({
    id: `tag-${index}`,
    name: `Tag ${index + 1}`,
    color: one(colors),
    createdAt: at(index),
  }));
  const moreFriends = many(friends, (index) => ({
    accountId: one(['shop', 'salon']),
    userId: `friend-${index}`,
    displayName: `${one(given)} ${one(services)} ${index + 1}`,
    status: one(states),
    notes: chance.nextInt(4) === 0 ? `Note ${index + 1}` : null,
    tagIds: tags > 0 && chance.nextInt(2) === 0 ? [`tag-${chance.nextInt(tags)}`] : [],
    createdAt: at(index),
    messages: many(messages, (n) => ({
      direction: n % 2 === 0 ? ('incoming' as const) : ('outgoing' as const),
      text: one(sentences),
      sentAt: toIsoString(from + index * minute + n * 1000),
    })),
  }));
  const [, ...others] = demoSeed.organizations;
  const project = {
    id: 'generated',
    name: 'Generated',
    description: 'Documents of a generated seed.',
    updatedAt: at(documents),
    documents: many(documents, (index) => ({
      id: `generated-document-${index}`,
      title: `Document ${index + 1}`,
      kind: one(kinds),
      updatedAt: at(index),
      body: `# Document ${index + 1}\n\n${one(sentences)}\n`,
    })),
  };
  return {
    ...demoSeed,
    organizations: [
      {
        ...main,
        tags: [...main.tags, ...moreTags],
        templates: [
          ...main.templates,
          ...many(templates, (index) => ({
            name: `Template ${index + 1}`,
            text: one(sentences),
            createdAt: at(index),
          })),
        ],
        friends: [...main.friends, ...moreFriends],
        sites: main.sites.map((site, index) =>
          index > 0
            ? site
            : {
                ...site,
                keywordLimit: Math.max(site.keywordLimit, keywords + 1000),
                keywords: [...(site.keywords ?? []), ...many(keywords, (n) => `keyword ${n + 1}`)],
              },
        ),
        projects: documents > 0 ? [...main.projects, project] : main.projects,
      },
      ...others,
    ],
  };
}
