/** What a deletion may do to references to the record: keep or remove them, or be refused while there are any (D63). */
export const onDeleteModes = ['keep', 'remove', 'refuse'] as const;

export type OnDelete = (typeof onDeleteModes)[number];
