import { factory, nullable, primaryKey } from '@mswjs/data';

/*
 * The tables of the reference model. Nested values are stored as JSON. The model reads them without the schemas of the
 * server.
 */
export const openDatabase = () =>
  factory({
    key: {
      key: primaryKey(String),
      name: String,
      scope: String,
      revoked: Boolean,
      suspended: Boolean,
      editor: Boolean,
      /** A JSON array; null for all accounts. */
      accountIds: nullable<string>(() => null),
    },
    account: { id: primaryKey(String), order: Number, name: String, createdAt: String },
    record: {
      id: primaryKey(String),
      order: Number,
      resource: String,
      revision: String,
      data: String,
      createdAt: String,
      updatedAt: String,
    },
    friend: {
      id: primaryKey(String),
      order: Number,
      accountId: String,
      userId: String,
      revision: String,
      displayName: String,
      status: String,
      notes: nullable<string>(() => null),
      tagIds: String,
      createdAt: String,
      updatedAt: String,
    },
    /** Messages, automations, submissions and clicks: `parent` is a friend, a form or a link. */
    child: {
      id: primaryKey(String),
      order: Number,
      list: String,
      parent: String,
      at: String,
      fields: String,
    },
    site: { id: primaryKey(String), keywordLimit: Number },
    keyword: {
      id: primaryKey(String),
      order: Number,
      site: String,
      keyword: String,
      group: nullable<string>(() => null),
      addedAt: String,
    },
    operation: {
      operationId: primaryKey(String),
      action: String,
      input: String,
      /** `applied` or `uncertain`. */
      state: String,
      /** The answer of a replay; null if nothing was applied. */
      answer: nullable<string>(() => null),
      /** How an uncertain operation is resolved; null if never. */
      resolution: nullable<string>(() => null),
    },
    audit: { order: primaryKey(Number), entry: String },
    notification: { order: primaryKey(Number), entry: String },
    /** Requests that count toward the limits. */
    request: { order: primaryKey(Number), key: String, at: Number },
    usage: { month: primaryKey(String), used: Number },
    /** All revisions and ids that were ever used: none may be used again. */
    token: { token: primaryKey(String) },
  });

export type Database = ReturnType<typeof openDatabase>;

/** All tables as JSON. */
export type Tables = Readonly<Record<keyof Database & string, readonly object[]>>;

export function save(database: Database): Tables {
  const tables = Object.entries(database).map(([name, table]) => [name, table.getAll()]);
  return JSON.parse(JSON.stringify(Object.fromEntries(tables))) as Tables;
}

export function load(tables: Tables): Database {
  const database = openDatabase();
  for (const [name, rows] of Object.entries(tables)) {
    const table = database[name as keyof Tables] as { create(row: object): unknown };
    for (const row of rows) table.create(row);
  }
  return database;
}
