/** A number for people: `10,000`. */
export const formatNumber = (n: number): string => n.toLocaleString('en-US');

/** A number of things: `1 request`, `10,000 requests`. */
export const countOf = (n: number, singular: string, plural = `${singular}s`): string =>
  `${formatNumber(n)} ${n === 1 ? singular : plural}`;

/** How many of all things a list shows: `3 requests`, or `1 of 3 requests`. */
export const countShown = (shown: number, all: number, singular: string, plural?: string): string =>
  shown === all
    ? countOf(all, singular, plural)
    : `${formatNumber(shown)} of ${countOf(all, singular, plural)}`;
