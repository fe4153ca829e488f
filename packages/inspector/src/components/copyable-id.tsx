import { CopyButton } from './controls.tsx';

/** An id with a button that copies it. */
export const CopyableId = ({ id }: { readonly id: string }) => (
  <span class="to-copy">
    <code>{id}</code> <CopyButton text={id} label="Copy" />
  </span>
);
