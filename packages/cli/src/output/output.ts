import { type Format, formats, type GlobalOptions } from '../args/global-options.ts';
import { repeatJournal } from '../args/repeat-journal.ts';
import { escapeLine } from './escape.ts';
import { Picker } from './pick-fields.ts';
import { writeData, writeError, writeOut } from './streams.ts';
import { getColumns, isTerminal } from './terminal.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Prints results in the requested format; nothing else is written to stdout. */
export class Output {
  readonly format: Format;
  /** Whether the format was requested, not chosen because stdout is not a terminal. */
  readonly explicit: boolean;

  constructor(private readonly options: GlobalOptions) {
    const named = options.format ?? (options.json ? 'json' : undefined);
    this.explicit = named !== undefined;
    this.format = named ?? (isTerminal('stdout') ? formats[0] : 'json');
  }

  get quiet(): boolean {
    return this.options.quiet === true;
  }

  /** One thing. A table shows its fields one below the other. */
  async one(value: unknown): Promise<void> {
    const picker = new Picker(this.options.fields);
    const shown = picker.pick(value);
    if (picker.neverSeen !== undefined) this.warn(picker.neverSeen);
    switch (this.format) {
      case 'json':
        return writeData(`${JSON.stringify(shown, null, 2)}\n`, 'json');
      case 'ndjson':
        return writeData(`${JSON.stringify(shown)}\n`, 'json');
      case 'yaml':
        return this.yaml(shown);
      case 'table': {
        const { fieldTable } = await import('./table.ts');
        return writeOut(fieldTable(shown));
      }
    }
  }

  /**
   * Many things of a kind; `columns` are those of a table. As ndjson they are printed as they come. `explain` gives the lines
   * below a row of a table.
   */
  async many(
    rows: Iterable<Row> | AsyncIterable<Row>,
    columns: readonly string[],
    explain?: (row: Row) => readonly string[],
  ): Promise<void> {
    const { fields } = this.options;
    const picker = new Picker(fields);
    const all: unknown[] = [];
    const below: (readonly string[])[] = [];
    for await (const row of rows) {
      if (this.format === 'ndjson') await writeData(`${JSON.stringify(picker.pick(row))}\n`, 'json');
      else {
        all.push(picker.pick(row));
        below.push(explain?.(row) ?? []);
      }
    }
    if (picker.neverSeen !== undefined) this.warn(picker.neverSeen);
    if (this.format === 'ndjson') return;
    if (this.format === 'json') return writeData(`${JSON.stringify(all, null, 2)}\n`, 'json');
    if (this.format === 'yaml') return this.yaml(all);
    const { rowTable } = await import('./table.ts');
    const { wide } = this.options;
    const room = wide ? undefined : getColumns('stdout');
    const { text, hidden } = rowTable(all, fields ?? columns, { room, keepAll: fields !== undefined, below });
    await writeOut(text);
    if (hidden.length > 0) this.note(`Hidden columns: ${hidden.join(', ')}. Use --wide to show all.`);
  }

  /** Prints a note for people on stderr, unless --quiet is set. */
  note(text: string): void {
    if (!this.quiet) writeError(`${this.toLine(text)}\n`);
  }

  /** Prints a warning, also with --quiet. */
  warn(text: string): void {
    writeError(`orgchat: warning: ${this.toLine(text)}\n`);
  }

  private toLine(text: string): string {
    return escapeLine(repeatJournal(text, this.options.journal));
  }

  private async yaml(value: unknown): Promise<void> {
    const { stringify } = await import('../yaml.ts');
    return writeData(stringify(value, { lineWidth: 0 }), 'yaml');
  }
}
