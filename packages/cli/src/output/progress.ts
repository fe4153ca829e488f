import { truncate } from './display-width.ts';
import { escapeLine } from './escape.ts';
import type { Output } from './output.ts';
import { movesCursor } from './terminal.ts';

export interface Progress {
  /** `done` is the number of finished items; `what` is in progress. */
  update(done: number, what?: string): void;
  stop(): void;
}

/** How often a log gets a line. */
const everyMs = 5_000;

/** Shows progress on stderr: a bar on a terminal, lines in a log or on a dumb terminal, nothing with --quiet. */
export async function showProgress(output: Output, title: string, total: number): Promise<Progress> {
  if (output.quiet || total === 0) return { update() {}, stop() {} };
  if (!movesCursor('stderr')) {
    let last = Date.now();
    let shown = -1;
    const line = (done: number, what = ''): void => {
      shown = done;
      output.note(`${title}: ${done} of ${total}${what === '' ? '' : `, ${what}`}`);
    };
    let latest = 0;
    return {
      update(done, what) {
        latest = done;
        if (Date.now() - last < everyMs) return;
        last = Date.now();
        line(done, what);
      },
      stop() {
        if (shown !== latest) line(latest);
      },
    };
  }
  const { default: bars } = await import('cli-progress');
  const bar = new bars.SingleBar(
    {
      format: `${escapeLine(title)} {bar} {value}/{total} {what}`,
      hideCursor: true,
      clearOnComplete: false,
      gracefulExit: true,
      stream: process.stderr,
    },
    bars.Presets.shades_classic,
  );
  bar.start(total, 0, { what: '' });
  // The bar ends at a signal. If it continued, it would overwrite later messages.
  return {
    update(done, what = '') {
      if (bar.isActive) bar.update(done, { what: truncate(escapeLine(what), 40) });
    },
    stop() {
      if (bar.isActive) bar.stop();
    },
  };
}
