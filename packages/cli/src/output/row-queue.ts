import type { Row } from './output.ts';

/** Rows that are printed as they are added. It ends once it was told so and every row was taken. */
export class RowQueue implements AsyncIterable<Row> {
  private readonly rows: Row[] = [];
  private isOver = false;
  private wake: () => void = () => {};

  add(row: Row): void {
    this.rows.push(row);
    this.wake();
  }

  end(): void {
    this.isOver = true;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row> {
    for (;;) {
      const row = this.rows.shift();
      if (row !== undefined) yield row;
      else if (this.isOver) return;
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }
}
