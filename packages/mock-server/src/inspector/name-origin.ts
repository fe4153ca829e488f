/* A page of a document says which request its reader came from. The link has all of it: the document needs no token, so it must not read the log. */

const isRequestId = /^req-[0-9a-z-]{1,60}$/;
const isNumber = /^(?:D\d+|\d+(?:\.\d+)+)$/;
const maxTitle = 80;

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Adds the way back to the request that the query names, and marks the clause and the decision that decided it. */
export function nameOrigin(html: string, query: string): string {
  const from = new URLSearchParams(query);
  const request = from.get('request') ?? '';
  if (!isRequestId.test(request)) return html;
  const title = escapeHtml((from.get('title') ?? '').slice(0, maxTitle));
  const numbers = (from.get('mark') ?? '').split(',').filter((number) => isNumber.test(number));
  // Links to the other document keep it.
  const kept = escapeHtml(`?${from}`);
  return numbers
    .reduce((page, number) => page.replace(` id="${number}"`, (found) => `${found} data-mark=""`), html)
    .replace(
      '<a href="../">Back to the inspector</a>',
      () => `<a href="../#/requests/${request}">← ${title} (${request})</a>`,
    )
    .replace(/ href="(specification|decisions)(?=["#])/g, (found) => found + kept);
}
