import { type Format, formats, type GlobalOptions } from '../args/global-options.ts';
import { repeatJournal } from '../args/repeat-journal.ts';
import { escapeLine } from './escape.ts';
import { Picker } from './pick-fields.ts';
import { hasField, listFieldNames, type PrintedFields, unknownFieldsError } from './printed-fields.ts';
import { writeData, writeError, writeOut } from './streams.ts';
import { getColumns, isTerminal } from './terminal.ts';
import { toValueLine } from './value-line.ts';

const getFormat = ({ format, json }: GlobalOptions): Format | undefined =>
  format ?? (json ? 'json' : undefined);

export type Row = Readonly<Record<string, unknown>>;

/** Prints results in the requested format; nothing else is written to stdout. */
export class Output {
  readonly format: Format;
  /**
   * The format that a flag of this command requests. The variable is for all commands, so it does not change what a command
   * writes in its own format.
   */
  readonly flagFormat: Format | undefined;
  /** What --fields can name; undefined if only the output shows it. */
  printed: PrintedFields | undefined;

  /** `flags` are without the values of variables. */
  constructor(
    private readonly options: GlobalOptions,
    flags: GlobalOptions = options,
  ) {
    this.flagFormat = getFormat(flags);
    this.format = getFormat(options) ?? (isTerminal('stdout') ? formats[0] : 'json');
  }

  get quiet(): boolean {
    return this.options.quiet === true;
  }

  /** The requested fields. */
  get fields(): readonly string[] | undefined {
    return this.options.fields;
  }

  /** Whether a command shows its own view for people: not if certain fields were requested. */
  get isView(): boolean {
    return this.format === 'table' && this.fields === undefined;
  }

  /** One thing. A table shows its fields one below the other. */
  async one(value: unknown): Promise<void> {
    const picker = this.createPicker();
    const shown = picker.pick(value);
    this.requireSeen(picker);
    switch (this.format) {
      case 'json':
        return writeData(`${JSON.stringify(shown, null, 2)}\n`, 'json');
      case 'ndjson':
        return writeData(`${JSON.stringify(shown)}\n`, 'json');
      case 'value':
        return writeData(toValueLine(shown), 'text');
      case 'yaml':
        return this.yaml(shown);
      case 'table': {
        const { fieldTable } = await import('./table.ts');
        return writeOut(fieldTable(shown));
      }
    }
  }

  /** One of many things of which nobody knows the last one, on a line: bare values or JSON. */
  async line(value: unknown): Promise<void> {
    const shown = this.createPicker().pick(value);
    if (this.format === 'value') return writeData(toValueLine(shown), 'text');
    return writeData(`${JSON.stringify(shown)}\n`, 'json');
  }

  /**
   * Many things of a kind; `columns` are those of a table. A line per thing is printed as it comes. `explain` gives the lines
   * below a row of a table.
   */
  async many(
    rows: Iterable<Row> | AsyncIterable<Row>,
    columns: readonly string[],
    explain?: (row: Row) => readonly string[],
  ): Promise<void> {
    const { fields } = this;
    const picker = this.createPicker();
    const writeLine = this.getLineWriter();
    const all: unknown[] = [];
    const below: (readonly string[])[] = [];
    for await (const row of rows) {
      all.push(picker.pick(row));
      if (this.format === 'table') below.push(explain?.(row) ?? []);
      // Until every field was seen, one of them may be a mistake. Then nothing is printed.
      if (writeLine !== undefined && picker.neverSeen.length === 0)
        for (const shown of all.splice(0)) await writeLine(shown);
    }
    this.requireSeen(picker);
    if (writeLine !== undefined) {
      for (const shown of all) await writeLine(shown);
      return;
    }
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

  private createPicker(): Picker {
    const { printed } = this;
    return new Picker(this.fields, (field) => printed !== undefined && hasField(printed, field));
  }

  /** Throws if nothing has a requested field. Without anything printed, only the contract can say so. */
  private requireSeen({ neverSeen, present }: Picker): void {
    const known = [...(this.printed ? listFieldNames(this.printed) : []), ...present];
    if (neverSeen.length > 0 && known.length > 0) throw unknownFieldsError(neverSeen, [...new Set(known)]);
  }

  /** Writes a thing on one line; undefined for formats that need all of them at once. */
  private getLineWriter(): ((shown: unknown) => Promise<void>) | undefined {
    if (this.format === 'ndjson') return (shown) => writeData(`${JSON.stringify(shown)}\n`, 'json');
    return this.format === 'value' ? (shown) => writeData(toValueLine(shown), 'text') : undefined;
  }

  private toLine(text: string): string {
    return escapeLine(repeatJournal(text, this.options.journal));
  }

  private async yaml(value: unknown): Promise<void> {
    const { stringify } = await import('../yaml.ts');
    return writeData(stringify(value, { lineWidth: 0 }), 'yaml');
  }
}
