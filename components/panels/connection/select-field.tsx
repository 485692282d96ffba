interface SelectFieldProps<Value extends string> {
  readonly name: string
  /** Shows the label beside the field instead of only announcing it. */
  readonly isNamed?: boolean
  readonly value: Value
  readonly choices: readonly (readonly [Value, string])[]
  readonly onChange: (value: Value) => void
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { name, isNamed = false, value, choices, onChange } = props
  return (
    <label className="flex max-w-full min-w-0 items-center gap-2 text-sm">
      <span className={isNamed ? 'text-muted' : 'sr-only'}>{name}</span>
      <select
        value={value}
        onChange={({ target }) => onChange(target.value as Value)}
        className="h-8 max-w-full min-w-0 rounded-lg border border-edge bg-transparent px-1.5"
      >
        {choices.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
