import { faultEffects, faultFields } from '@orgchat/spec/fault-fields';
import { CheckField, SelectField, TextField } from '../../components/controls.tsx';
import { changeActions, operationNames, requestResources } from '../../generated/control-api.ts';
import { commonFields, type Effect, effectNames, type FaultForm, type Field } from './fault-form.ts';

interface FaultFieldsProps {
  readonly form: FaultForm;
  readonly change: (changes: Partial<FaultForm>) => void;
}

/** What a person reads at a field. */
interface FieldText {
  readonly label: string;
  /** What an empty text stands for. */
  readonly placeholder?: string;
  /** The choice of nothing. */
  readonly empty?: string;
  readonly hint?: string;
  readonly options?: readonly string[];
}

/** The compiler asks for every field of the contract. */
const texts: Readonly<Record<Field, FieldText>> = {
  operation: { label: 'Operation', empty: 'any', options: operationNames },
  action: { label: 'Action', empty: 'any', options: changeActions },
  resource: { label: 'Resource', empty: 'any', options: requestResources },
  key: { label: 'Key', placeholder: 'any' },
  times: { label: 'Times', placeholder: '1', hint: 'A number, or always.' },
  after: { label: 'After', placeholder: '0', hint: 'Number of matching requests to skip first.' },
  probability: { label: 'Probability', placeholder: '1', hint: 'More than 0, at most 1.' },
  delayMs: { label: 'Delay in ms' },
  applied: { label: 'The change is applied' },
  status: { label: 'Status', hint: '202 to 599.' },
  error: { label: 'Error code', placeholder: 'of the status' },
  retryAfter: { label: 'Retry-After', placeholder: 'none' },
  undeclared: { label: 'Also if the operation does not declare this status' },
  data: { label: 'Fields that change', placeholder: '{"name":"Theirs"}', hint: 'JSON; none if empty.' },
  delete: { label: 'The record is deleted instead' },
  answer: { label: 'Answer', empty: 'the connection is reset', options: ['500', '502'] },
  resolve: { label: 'Resolved', options: ['never', 'afterRequests', 'afterMs'] },
};

/** The fields of a fault: what it does, which requests it hits, and how often. */
export function FaultFields({ form, change }: FaultFieldsProps) {
  const own: readonly Field[] = faultEffects[form.effect].fields;
  const isCheck = (name: Field): boolean => faultFields[name] === 'boolean';
  const isText = (name: Field): boolean => faultFields[name] === 'text';
  const show = (names: readonly Field[]) =>
    names.map((name) => <FaultField key={name} name={name} form={form} change={change} />);
  const inputs = own.filter((name) => !isCheck(name));
  return (
    <>
      <SelectField
        label="Effect"
        hint={faultEffects[form.effect].about}
        value={form.effect}
        options={effectNames}
        onInput={(effect) => change({ effect: effect as Effect })}
      />
      {inputs.length > 0 && <div class="fields">{show(inputs)}</div>}
      {show(own.filter(isCheck))}
      <fieldset class="group">
        <legend>Which requests</legend>
        <div class="fields">{show(commonFields.filter(isText))}</div>
      </fieldset>
      <fieldset class="group">
        <legend>How often</legend>
        <div class="fields">{show(commonFields.filter((name) => !isText(name)))}</div>
      </fieldset>
    </>
  );
}

function FaultField({ name, form, change }: FaultFieldsProps & { readonly name: Field }) {
  const { options, ...shown } = texts[name];
  const value = form[name];
  const onInput = (typed: string): void => change({ [name]: typed });
  if (typeof value === 'boolean')
    return (
      <CheckField label={shown.label} checked={value} onInput={(checked) => change({ [name]: checked })} />
    );
  if (options)
    return (
      <>
        <SelectField {...shown} value={value} options={options} onInput={onInput} />
        {name === 'resolve' && value !== 'never' && (
          <TextField
            label={value === 'afterMs' ? 'Milliseconds' : 'Requests'}
            type="number"
            value={form.resolveAfter}
            onInput={(resolveAfter) => change({ resolveAfter })}
          />
        )}
      </>
    );
  const isNumber = faultFields[name] === 'number' || faultFields[name] === 'range';
  return (
    <>
      <TextField {...shown} type={isNumber ? 'number' : 'text'} value={value} onInput={onInput} />
      {name === 'delayMs' && (
        <TextField
          label="At most, in ms"
          type="number"
          hint="Then each hit draws a delay between the two."
          value={form.delayMaxMs}
          onInput={(delayMaxMs) => change({ delayMaxMs })}
        />
      )}
    </>
  );
}
