import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { toMessage } from '../control-api/client.ts';
import { announce } from './announcer.tsx';

/** A button that makes a call. It cannot be pressed twice while the call runs, and says why it failed. */
export function ActionButton({
  children,
  action,
  kind = 'plain',
  done,
  disabled = false,
}: {
  readonly children: ComponentChildren;
  readonly action: () => Promise<unknown> | unknown;
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** What to tell screen readers afterwards. */
  readonly done?: string;
  readonly disabled?: boolean;
}) {
  const [state, setState] = useState<{ busy: boolean; error?: string }>({ busy: false });
  const run = async (): Promise<void> => {
    if (state.busy) return;
    setState({ busy: true });
    try {
      await action();
      setState({ busy: false });
      if (done !== undefined) announce(done);
    } catch (error) {
      setState({ busy: false, error: toMessage(error) });
    }
  };
  return (
    <span class="action">
      <button
        type="button"
        class={`button button-${kind}`}
        disabled={disabled}
        aria-busy={state.busy}
        onClick={run}
      >
        {children}
      </button>
      {state.error !== undefined && (
        <span class="field-error" role="alert">
          {state.error}
        </span>
      )}
    </span>
  );
}

/** A button that asks once more before it does something that cannot be undone. */
export function ConfirmButton({
  children,
  question,
  action,
  done,
  kind = 'plain',
}: {
  readonly kind?: 'plain' | 'danger-quiet';
  readonly children: ComponentChildren;
  /** What the second press does: `Reset everything`. */
  readonly question: string;
  readonly action: () => Promise<unknown>;
  readonly done?: string;
}) {
  const [isAsking, setAsking] = useState(false);
  const first = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (isAsking) first.current?.querySelector('button')?.focus();
  }, [isAsking]);
  if (!isAsking) {
    return (
      <button type="button" class={`button button-${kind}`} onClick={() => setAsking(true)}>
        {children}
      </button>
    );
  }
  const finish = async (): Promise<void> => {
    await action();
    setAsking(false);
  };
  return (
    <span class="confirm" ref={first}>
      <ActionButton kind="danger" action={finish} {...(done !== undefined && { done })}>
        {question}
      </ActionButton>
      <button type="button" class="button button-quiet" onClick={() => setAsking(false)}>
        Cancel
      </button>
    </span>
  );
}

/** Copies a text and says so. */
export function CopyButton({
  text,
  label,
  kind = 'quiet',
}: {
  readonly text: string;
  readonly label: string;
  readonly kind?: 'plain' | 'quiet';
}) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <ActionButton
      kind={kind}
      action={async () => {
        await copyText(text);
        setCopied(true);
        announce('Copied.');
      }}
    >
      {isCopied ? 'Copied' : label}
    </ActionButton>
  );
}

/** Browsers offer the clipboard only to pages of this machine or over TLS. Elsewhere the old way works. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('The browser did not allow copying.');
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

/** A label, what belongs into the field, the field, and what is wrong with it. */
export function Field({
  label,
  hint,
  error,
  children,
}: FieldProps & {
  readonly children: (attributes: { id: string; 'aria-describedby'?: string }) => ComponentChildren;
}) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...(described !== '' && { 'aria-describedby': described }) })}
      {hint !== undefined && (
        <span class="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span class="field-error" id={`${id}-error`} role="alert">
          {error}
        </span>
      )}
    </div>
  );
}

export function TextField({
  label,
  hint,
  error,
  type = 'text',
  placeholder,
  value,
  onInput,
}: FieldProps & {
  readonly type?: 'text' | 'search' | 'password' | 'number';
  readonly placeholder?: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <input
          {...attributes}
          // Preact has a type of attributes for each type of input.
          type={type as 'text'}
          {...(placeholder !== undefined && { placeholder })}
          {...(type === 'number' && { step: 'any' })}
          value={value}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function SelectField({
  label,
  hint,
  value,
  options,
  empty,
  onInput,
}: FieldProps & {
  readonly value: string;
  readonly options: readonly string[];
  /** The text of the choice of nothing. Omitted: something must be chosen. */
  readonly empty?: string;
  readonly onInput: (value: string) => void;
}) {
  return (
    <Field label={label} hint={hint}>
      {(attributes) => (
        <select {...attributes} value={value} onInput={(event) => onInput(event.currentTarget.value)}>
          {empty !== undefined && <option value="">{empty}</option>}
          {options.map((option) => (
            <option value={option} key={option}>
              {option}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckField({
  label,
  hint,
  checked,
  disabled = false,
  onInput,
}: {
  readonly label: string;
  /** What it causes, at the end of the line. */
  readonly hint?: ComponentChildren;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onInput: (checked: boolean) => void;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onInput={(event) => onInput(event.currentTarget.checked)}
      />
      <span class="check-text">
        <span>{label}</span>
        {hint !== undefined && <span class="quiet small">{hint}</span>}
      </span>
    </label>
  );
}
