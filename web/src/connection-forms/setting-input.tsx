import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import type { SettingField } from './form-fields.ts'
import { TextsInput } from './texts-input.tsx'

interface SettingInputProps {
  readonly field: SettingField
  readonly value: unknown
  readonly fault: string | undefined
  readonly placeholder?: string | undefined
  /** Undefined where it is left to its standard. */
  readonly onChange: (value: unknown) => void
}

/** One setting, asked for as its schema says. */
export function SettingInput({ field, value, fault, placeholder, onChange }: SettingInputProps) {
  const { title, description, isRequired, standard, control } = field
  const shared = { label: title, description, withAsterisk: isRequired, error: fault }
  switch (control.kind) {
    case 'flag':
      return (
        <Switch
          label={title}
          description={description}
          error={fault}
          checked={(value ?? standard) === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )
    case 'choice':
      return (
        <Select
          {...shared}
          allowDeselect={false}
          data={control.choices.map(({ key, label }) => ({ value: key, label }))}
          value={String(value ?? standard)}
          onChange={(key) => onChange(control.choices.find((choice) => choice.key === key)?.value)}
        />
      )
    case 'texts':
      return (
        <TextsInput title={title} description={description} value={value} fault={fault} onChange={onChange} />
      )
    case 'number':
      return (
        <NumberInput
          {...shared}
          {...(control.min === undefined ? {} : { min: control.min })}
          {...(control.max === undefined ? {} : { max: control.max })}
          allowDecimal={!control.isWhole}
          hideControls
          placeholder={standard === undefined ? '' : String(standard)}
          value={typeof value === 'number' ? value : ''}
          onChange={(typed) => onChange(typeof typed === 'number' ? typed : undefined)}
        />
      )
    case 'text': {
      const text = {
        ...shared,
        placeholder: placeholder ?? '',
        spellCheck: false,
        autoComplete: 'off',
        value: String(value ?? ''),
        onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
          onChange(event.currentTarget.value)
      }
      return control.isLong ? (
        <Textarea {...text} autosize minRows={3} maxRows={10} />
      ) : (
        <TextInput {...text} />
      )
    }
  }
}
