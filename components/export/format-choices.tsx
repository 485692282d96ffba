import { useId } from 'react'
import type { ExportFormat } from '@/lib/export/export-formats.ts'
import { exportStrings } from '@/lib/strings/export.ts'

const strings = exportStrings.dialog

/** A format, or the browser's own dialog. */
export type ExportChoice = ExportFormat | 'print'

interface FormatChoicesProps {
  readonly choices: readonly ExportChoice[]
  readonly value: ExportChoice
  readonly onChange: (choice: ExportChoice) => void
  readonly isDisabled: boolean
}

export function FormatChoices({ choices, value, onChange, isDisabled }: FormatChoicesProps) {
  const name = useId()
  return (
    <fieldset disabled={isDisabled} className="flex flex-col">
      <legend className="sr-only">{strings.format}</legend>
      {choices.map((choice) => (
        <label
          key={choice}
          className="-mx-2.5 flex min-h-11 items-center gap-3 rounded-lg px-2.5 py-1 hover:bg-sunk has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name={name}
            checked={choice === value}
            onChange={() => onChange(choice)}
            aria-labelledby={`${name}-${choice}-name`}
            aria-describedby={`${name}-${choice}`}
            className="size-4 shrink-0 accent-accent"
          />
          <span className="flex min-w-0 flex-col sm:flex-row sm:items-baseline sm:gap-3">
            <span id={`${name}-${choice}-name`} className="shrink-0 font-medium sm:w-32">
              {strings.formats[choice].name}
            </span>
            <span id={`${name}-${choice}`} className="text-sm text-muted">
              {strings.formats[choice].hint}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
