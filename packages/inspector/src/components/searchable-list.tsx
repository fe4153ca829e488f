import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { countShown } from '../text/count.ts';
import { TextField } from './controls.tsx';
import { ListAndDetail, type ListAndDetailProps } from './list-and-detail.tsx';
import { hasWords } from './search.ts';

interface SearchableListProps<Row> extends Omit<ListAndDetailProps<Row>, 'children'> {
  /** The texts of a row that a search looks into. */
  readonly getTexts: (row: Row) => readonly unknown[];
  /** What a search can find: `action, name, id …`. */
  readonly placeholder: string;
  /** What a row is: `sandbox`, `sandboxes`. */
  readonly singular: string;
  readonly plural?: string;
  /** More about the rows that are shown, behind their number. */
  readonly describeRows?: (rows: readonly Row[]) => string;
  /** Whether a row passes the filters beside the search. */
  readonly filter?: ((row: Row) => boolean) | undefined;
  /** Filters beside the search. */
  readonly filters?: ComponentChildren;
}

/** A list with a search above it and the number of its rows, and the chosen row. Rows are in the order they are shown. */
export function SearchableList<Row>({
  rows,
  getTexts,
  placeholder,
  singular,
  plural,
  describeRows = () => '',
  filter,
  filters,
  ...list
}: SearchableListProps<Row>) {
  const [search, setSearch] = useState('');
  const isSearched = search.trim() !== '';
  // Texts of 100,000 rows are made once, and not with each letter of a search.
  const texts = useMemo(
    () => (isSearched ? rows.map((row) => getTexts(row).map(toText).join(' ').toLowerCase()) : []),
    [rows, isSearched],
  );
  const shown = useMemo(
    () =>
      rows.filter(
        (row, index) => (filter?.(row) ?? true) && (!isSearched || hasWords(search, texts[index] ?? '')),
      ),
    [rows, texts, search, filter],
  );
  const field = (
    <TextField label="Search" type="search" placeholder={placeholder} value={search} onInput={setSearch} />
  );
  return (
    <ListAndDetail {...list} rows={shown}>
      {filters === undefined ? (
        field
      ) : (
        <div class="filters filters-beside">
          {field}
          {filters}
        </div>
      )}
      <p class="count">
        {countShown(shown.length, rows.length, singular, plural)}
        {describeRows(shown)}
      </p>
    </ListAndDetail>
  );
}

const toText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
