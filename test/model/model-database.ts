import { factory, nullable, primaryKey } from '@mswjs/data';

/*
 * The tables of the reference model. What has a shape of its own is kept as JSON: the model looks into it with
 * its own eyes and not with the schemas of the server.
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
      /** What a replay returns; null where nothing was applied. */
      answer: nullable<string>(() => null),
      /** How an uncertain operation is resolved; null for never. */
      resolution: nullable<string>(() => null),
    },
    audit: { order: primaryKey(Number), entry: String },
    notification: { order: primaryKey(Number), entry: String },
    /** Requests that were counted. */
    request: { order: primaryKey(Number), key: String, at: Number },
    usage: { month: primaryKey(String), used: Number },
    /** Revisions and ids there ever were: none may come again. */
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
