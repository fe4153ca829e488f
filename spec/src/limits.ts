/**
 * Every number of the contract, once (SPECIFICATION.md, section 8). Schemas, the mock's limiter, the SDK's
 * pacing and the generated document read them from here.
 */
export const limits = {
  /** Characters in names of tags, templates, links, routes, scenarios, forms, rich menus; titles of broadcasts. */
  name: 100,
  /** Characters in template text, response text, text blocks, step texts and form thanks texts. */
  longText: 5000,
  /** Characters in a form's description and in a condition's metadata value. */
  description: 1000,
  cardTitle: 40,
  cardText: 300,
  cardAltText: 400,
  buttonLabel: 20,
  messageActionText: 300,
  uri: 1000,
  url: 2000,
  miniAppPath: 100,
  chatBarText: 14,
  designIcon: 100,
  designCaption: 30,
  fieldOption: 100,
  fieldPlaceholder: 100,
  friendNotes: 2000,
  expectedLabel: 200,
  search: 100,
  studioQuery: 100,
  studioCursor: 80,
  keyword: 80,
  keywordGroup: 30,
  /** Items in arrays. */
  messageBlocks: 5,
  cards: 10,
  cardButtons: 3,
  steps: 20,
  formFields: 30,
  fieldOptions: 30,
  areas: 20,
  tagIds: 50,
  broadcastAccounts: { min: 2, max: 10 },
  keywordsPerRequest: 50,
  /** Largest numbers. */
  delayValue: 525_600,
  nextStep: 19,
  offset: 1_000_000,
  pageSize: 50,
  /** Requests per key in any window of 60 seconds. */
  requestsPerMinute: 60,
  /** Bytes of a request body the mock reads before it answers 400 (DECISIONS.md, D8). */
  bodyBytes: 16 * 1024 * 1024,
} as const;
