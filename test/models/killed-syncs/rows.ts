import type { SyncOptions, TemplateInput } from '@orgchat/sdk';

/** What the programs sync. */
export const rows: readonly TemplateInput[] = Array.from({ length: 60 }, (_, n) => ({
  name: `Template ${n}`,
  text: `Text ${n}`,
}));
export const syncOptions: SyncOptions<'templates'> = {
  by: 'name',
  deleteOthers: { max: 100 },
  concurrency: 4,
};

/** What is there before: a third of the rows with another text, and records that no row names. */
export const before: readonly TemplateInput[] = [
  ...rows.slice(0, 20).map(({ name }) => ({ name, text: 'old' })),
  ...Array.from({ length: 15 }, (_, n) => ({ name: `Other ${n}`, text: 'x' })),
];
