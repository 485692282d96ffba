interface SelectFieldProps<Value extends string | number> {
  readonly label: string
  /** The field shows its label there; without this only a screen reader says it. */
  readonly labelPlace?: 'beside' | 'above'
  readonly value: Value
  readonly choices: readonly (readonly [value: Value, text: string])[]
  readonly isDisabled?: boolean
  readonly onChange: (value: Value) => void
}

export function SelectField<Value extends string | number>(props: SelectFieldProps<Value>) {
  const { label, labelPlace, value, choices, isDisabled = false, onChange } = props
  const labelClass = labelPlace === undefined ? 'sr-only' : labelPlace === 'beside' ? 'text-muted' : ''
  return (
    <label
      className={`flex max-w-full min-w-0 text-sm ${labelPlace === 'above' ? 'flex-col gap-1' : 'items-center gap-2'}`}
    >
      <span className={labelClass}>{label}</span>
      <select
        value={value}
        disabled={isDisabled}
        onChange={({ target }) => onChange(choices[target.selectedIndex]![0])}
        className="h-9 max-w-full min-w-0 rounded-lg border border-edge bg-transparent px-2 text-ink"
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
