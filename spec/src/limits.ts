/**
 * Every limit of the contract, once (SPECIFICATION.md, section 8). The schemas, the OpenAPI document, the mock server
 * and the CLI read them from here. The SDK has those that it needs in `packages/sdk/src/generated/limits.ts`.
 *
 * A name ending in `Length` is a maximum number of characters.
 */
export const limits = {
  /** Names and titles of records, keywords of auto-replies, labels of form fields, keys of metadata, layouts. */
  nameLength: 100,
  /** Template text, response text, text blocks, step texts and thanks texts of forms. */
  longTextLength: 5000,
  formDescriptionLength: 1000,
  metadataValueLength: 1000,
  cardTitleLength: 40,
  cardTextLength: 300,
  cardAltTextLength: 400,
  buttonLabelLength: 20,
  messageActionTextLength: 300,
  /** What a button opens, and the path of a mini-application in it. */
  uriLength: 1000,
  miniAppPathLength: 100,
  /** The address of a link record. */
  linkUrlLength: 2000,
  chatBarTextLength: 14,
  designIconLength: 100,
  designCaptionLength: 30,
  fieldKeyLength: 40,
  fieldOptionLength: 100,
  fieldPlaceholderLength: 100,
  friendNotesLength: 2000,
  expectedLabelLength: 200,
  friendSearchLength: 100,
  studioQueryLength: 100,
  studioCursorLength: 80,
  siteKeywordLength: 80,
  siteKeywordGroupLength: 30,

  /* Items of a list. */
  blocksPerMessage: 5,
  cardsPerBlock: 10,
  buttonsPerCard: 3,
  stepsPerScenario: 20,
  fieldsPerForm: 30,
  optionsPerField: 30,
  areasPerRichMenu: 20,
  /** Tags of a friend, and tags that a broadcast addresses. */
  tagsPerRecord: 50,
  accountsPerBroadcast: { min: 2, max: 10 },
  keywordsPerRequest: 50,
  /** Records of one answer to a read. */
  pageSize: 50,

  /* Largest numbers. */
  stepDelay: 525_600,
  nextStepIndex: 19,
  offset: 1_000_000,

  /** Requests per key in any window of `rateWindowMs`. */
  requestsPerMinute: 60,
  rateWindowMs: 60_000,
} as const;
